/*
 * codec_gzip.c - gzip input of one or more members
 *
 * ISA-L decodes them where it is installed, else zlib.  Zeros may pad the last
 * member, as on tapes; anything else is an error.
 */
#include <stdlib.h>

#include "inflater.h"

#if defined FRESHET_HAVE_ISAL || defined FRESHET_HAVE_ZLIB

struct gzip {
    const struct inflater *inflater;
    void *state;
    enum { BETWEEN, INSIDE, PADDING } at;
};

/* The fault is that of the last inflater, which every build has. */
static bool create_inflater(struct gzip *g, struct fault *why)
{
    static const struct inflater *const all[] = {&inflater_isal,
                                                 &inflater_zlib};

    for (size_t i = 0; i < sizeof all / sizeof *all && !g->state; i++) {
        g->inflater = all[i];
        g->state = all[i]->create ? all[i]->create(why) : NULL;
    }
    return g->state;
}

static void *gzip_create(struct fault *why)
{
    struct gzip *g = calloc(1, sizeof *g);

    if (!g) {
        codec_no_memory(why, "gzip");
        return NULL;
    }
    if (create_inflater(g, why)) {
        why->text[0] = '\0'; /* that of an inflater that is not there */
        return g;
    }
    free(g);
    return NULL;
}

static void gzip_free(void *state)
{
    struct gzip *g = state;

    g->inflater->free(g->state);
    free(g);
}

static bool gzip_is_whole(const void *state)
{
    const struct gzip *g = state;

    return g->at != INSIDE;
}

/* Expects another member, or zeros to the end. */
static int gzip_between(struct gzip *g, struct codec_io *io, struct fault *why)
{
    if (g->at == BETWEEN && *io->in == 0x1f) {
        g->inflater->reset(g->state);
        g->at = INSIDE;
        return 0;
    }
    g->at = PADDING;
    for (; io->in_len && *io->in == 0; io->in_len--)
        io->in++;
    if (!io->in_len)
        return 0;
    return codec_followed(why, "gzip");
}

static int gzip_step(void *state, struct codec_io *io, struct fault *why)
{
    struct gzip *g = state;

    while (io->out_len) {
        enum inflater_result result;

        if (g->at != INSIDE) {
            if (!io->in_len)
                break;
            if (gzip_between(g, io, why) < 0)
                return -1;
            continue;
        }
        result = g->inflater->step(g->state, io, why);
        if (result == INFLATER_FAILED)
            return -1;
        if (result == INFLATER_MORE)
            break;
        g->at = BETWEEN;
    }
    return 0;
}

static void gzip_use_team(void *state, struct inflate_team *team)
{
    struct gzip *g = state;

    if (g->inflater->use_team)
        g->inflater->use_team(g->state, team);
}

const struct codec codec_gzip = {"gzip",       "zlib",        gzip_create,
                                 gzip_step,    gzip_is_whole, gzip_free,
                                 gzip_use_team};

#else

const struct codec codec_gzip = {.name = "gzip", .library = "zlib"};

#endif
