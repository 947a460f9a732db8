/*
 * inflater_isal.c - decodes a gzip member with ISA-L
 *
 * With a team (inflate_team.h) ISA-L decodes as far as the next blocks that a
 * helper has decoded.  If a block ends exactly there, their symbols are
 * resolved, their input is skipped, and ISA-L continues after them.
 */
#include "inflater.h"

#ifdef FRESHET_HAVE_ISAL

#    include <isa-l/crc.h>
#    include <isa-l/igzip_lib.h>
#    include <stdlib.h>

#    include "deflate_find.h"
#    include "inflate_team.h"

#    define FUNCTIONS(F)                                                       \
        F(isal_inflate)                                                        \
        F(isal_inflate_init)                                                   \
        F(isal_inflate_reset)                                                  \
        F(isal_inflate_set_dict) F(isal_read_gzip_header) F(crc32_gzip_refl)
LIBRARY(isal, FRESHET_ISAL, "libisal2", FUNCTIONS)

/* The work of a team, as the leader gets it.  Positions are bits of input. */
struct lead {
    struct inflate_team *team;
    uint64_t next;    /* the next blocks that are decoded */
    uint64_t refused; /* blocks before this position are not wanted */
    struct inflate_blocks taken; /* n is 0: none */
    size_t resolved;             /* symbols of them */
    bool is_skipping;            /* the input up to the end of what was taken */
    uint64_t end;
    struct deflate_bytes bytes;
};

/* ISA-L 2.30 forgets what a header says when it is cut between two calls of
   isal_inflate(), so the header is read apart. */
struct isal {
    struct inflate_state state;
    struct isal_gzip_header header;
    uint64_t read;     /* bytes of input, of all members */
    uint64_t written;  /* bytes of output, of this member */
    struct lead *lead; /* NULL: there is no team */
};

static void *create(struct fault *why)
{
    struct isal *s = codec_create(&isal_library, "gzip", sizeof *s, why);

    if (s) {
        isal.isal_inflate_init(&s->state);
        s->state.crc_flag = ISAL_GZIP_NO_HDR_VER;
    }
    return s;
}

static void reset(void *state)
{
    struct isal *s = state;

    isal.isal_inflate_reset(&s->state); /* keeps crc_flag */
    memset(&s->header, 0, sizeof s->header);
    s->written = 0;
}

static void free_isal(void *state)
{
    struct isal *s = state;

    free(s->lead);
    free(s);
}

/* Without memory for it a team is not used. */
static void use_team(void *state, struct inflate_team *team)
{
    struct isal *s = state;

    s->lead = calloc(1, sizeof *s->lead);
    if (!s->lead)
        return;
    s->lead->team = team;
    s->lead->next = DEFLATE_NOWHERE;
    deflate_bytes_init(&s->lead->bytes);
}

/* ---- ISA-L ------------------------------------------------------------ */

static void pass_input(struct isal *s, struct codec_io *io, size_t n)
{
    io->in += n;
    io->in_len -= n;
    s->read += n;
}

static void pass_output(struct isal *s, struct codec_io *io, size_t n)
{
    io->out += n;
    io->out_len -= n;
    s->written += n;
}

static size_t clamped(size_t n)
{
    return n < 1u << 30 ? n : 1u << 30;
}

/* Sets wrapper_flag at the end of the header.  Nothing is kept of it. */
static int read_header(struct isal *s, struct codec_io *io)
{
    uint32_t in = (uint32_t)clamped(io->in_len);
    int status;

    s->state.next_in = (uint8_t *)(uintptr_t)io->in; /* only read */
    s->state.avail_in = in;
    status = isal.isal_read_gzip_header(&s->state, &s->header);
    pass_input(s, io, in - s->state.avail_in);
    return status == ISAL_END_INPUT ? ISAL_DECOMP_OK : status;
}

/* Returns how many bytes may be decoded: up to what a helper has decoded,
   unless ISA-L has read more already. */
static uint32_t input_of(const struct isal *s, const struct codec_io *io)
{
    size_t n = clamped(io->in_len);

    if (s->lead && s->lead->next != DEFLATE_NOWHERE) {
        uint64_t end = (s->lead->next + 7) / 8;

        if (end >= s->read && end - s->read < n)
            n = end - s->read;
    }
    return (uint32_t)n;
}

static int inflate_some(struct isal *s, struct codec_io *io)
{
    uint32_t in = input_of(s, io), out = (uint32_t)clamped(io->out_len);
    int status;

    s->state.next_in = (uint8_t *)(uintptr_t)io->in; /* only read */
    s->state.avail_in = in;
    s->state.next_out = io->out;
    s->state.avail_out = out;
    status = isal.isal_inflate(&s->state);
    out -= s->state.avail_out;
    if (s->lead)
        deflate_bytes_pass(&s->lead->bytes, io->out, out);
    pass_input(s, io, in - s->state.avail_in);
    pass_output(s, io, out);
    return status;
}

static const char *detail(int status)
{
    switch (status) {
    case ISAL_INVALID_BLOCK:
        return "invalid block";
    case ISAL_INVALID_SYMBOL:
        return "invalid code";
    case ISAL_INVALID_LOOKBACK:
        return "invalid distance too far back";
    case ISAL_INVALID_WRAPPER:
        return "incorrect header check";
    case ISAL_UNSUPPORTED_METHOD:
        return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM:
        return "incorrect data check";
    default:
        return "unknown error";
    }
}

/* ---- What helpers have decoded ---------------------------------------- */

/* Returns the number of the next bit that ISA-L will use.  At the end of a
   block it keeps bits of input, and whole bytes of the next block's header. */
static uint64_t position(const struct isal *s)
{
    return s->read * 8 - (uint64_t)s->state.read_in_length -
           (uint64_t)s->state.tmp_in_size * 8;
}

/* Returns whether ISA-L has decoded and written everything before a block. */
static bool is_between_blocks(const struct inflate_state *s)
{
    return s->wrapper_flag && s->tmp_out_valid == s->tmp_out_processed &&
           (s->block_state == ISAL_BLOCK_NEW_HDR ||
            s->block_state == ISAL_BLOCK_HDR);
}

static void look_ahead(struct isal *s)
{
    struct lead *l = s->lead;
    uint64_t at = position(s);

    l->next = inflate_team_next(l->team, at > l->refused ? at : l->refused);
}

static void take(struct lead *l)
{
    l->taken = inflate_team_take(l->team, l->next);
    l->resolved = 0;
}

/* To be called when ISA-L has got all input before the next blocks that are
   decoded: takes them if they begin where ISA-L is.  A window that reaches back
   before the member would hide a wrong distance. */
static void try_to_take(struct isal *s)
{
    struct lead *l = s->lead;

    if (is_between_blocks(&s->state) && position(s) == l->next &&
        s->written >= DEFLATE_WINDOW)
        take(l);
    else
        l->refused = l->next + 1;
}

/* The last symbols become the window.  Goes on with the next blocks if these
   are decoded, too. */
static void end_taken(struct lead *l)
{
    size_t n = l->taken.n < DEFLATE_WINDOW ? l->taken.n : DEFLATE_WINDOW;
    unsigned char last[DEFLATE_WINDOW];

    deflate_bytes_resolve(&l->bytes, l->taken.symbol + l->taken.n - n, n, last);
    deflate_bytes_pass(&l->bytes, last, n);
    l->end = l->taken.end;
    l->taken.n = 0;
    inflate_team_return(l->team);
    l->next = inflate_team_next(l->team, l->end);
    l->is_skipping = l->next != l->end;
    if (!l->is_skipping)
        take(l);
}

static void resolve(struct isal *s, struct codec_io *io)
{
    struct lead *l = s->lead;
    size_t left = l->taken.n - l->resolved;
    size_t n = io->out_len < left ? io->out_len : left;

    deflate_bytes_resolve(&l->bytes, l->taken.symbol + l->resolved, n, io->out);
    s->state.crc = isal.crc32_gzip_refl(s->state.crc, io->out, n);
    s->state.total_out += (uint32_t)n;
    pass_output(s, io, n);
    l->resolved += n;
    if (l->resolved == l->taken.n)
        end_taken(l);
}

/* Skips input up to where ISA-L continues, perhaps in the middle of a byte.
   Returns false if there is not enough of it. */
static bool skip(struct isal *s, struct codec_io *io)
{
    uint64_t left = s->lead->end / 8 - s->read;
    unsigned used = s->lead->end % 8;

    pass_input(s, io, left < io->in_len ? left : io->in_len);
    if (s->read < s->lead->end / 8 || (used && !io->in_len))
        return false;
    s->state.tmp_in_size = 0;
    s->state.read_in_length = used ? 8 - (int)used : 0;
    s->state.read_in = used ? (uint64_t)*io->in >> used : 0;
    pass_input(s, io, used > 0);
    s->state.block_state = ISAL_BLOCK_NEW_HDR;
    isal.isal_inflate_set_dict(&s->state, s->lead->bytes.of + DEFLATE_UNKNOWN,
                               DEFLATE_WINDOW);
    s->lead->is_skipping = false;
    return true;
}

/* ---- Steps ------------------------------------------------------------ */

/* Returns whether what helpers have decoded comes before ISA-L's turn. */
static bool has_taken(const struct isal *s)
{
    return s->lead && (s->lead->taken.n || s->lead->is_skipping);
}

/* Returns false if there is no room, or not enough input. */
static bool follow(struct isal *s, struct codec_io *io)
{
    if (s->lead->is_skipping)
        return skip(s, io);
    if (!io->out_len)
        return false;
    resolve(s, io);
    return true;
}

/* Returns whether ISA-L has decoded everything before the next blocks that are
   decoded. */
static bool has_arrived(const struct isal *s, const struct codec_io *io)
{
    return s->lead && s->lead->next != DEFLATE_NOWHERE && io->out_len &&
           s->read == (s->lead->next + 7) / 8;
}

/* Lets ISA-L read the header, or decode.  Returns its status. */
static int advance(struct isal *s, struct codec_io *io)
{
    if (!s->state.wrapper_flag)
        return read_header(s, io);
    if (s->lead)
        look_ahead(s);
    return inflate_some(s, io);
}

static enum inflater_result step(void *state, struct codec_io *io,
                                 struct fault *why)
{
    struct isal *s = state;
    bool more = true;

    while (more) {
        size_t in = io->in_len, out = io->out_len;
        int status;

        if (has_taken(s)) {
            more = follow(s, io);
            continue;
        }
        status = advance(s, io);
        if (status != ISAL_DECOMP_OK)
            return codec_damaged(why, "gzip", detail(status));
        if (s->state.block_state == ISAL_BLOCK_FINISH)
            return INFLATER_END;
        more = io->in_len != in || io->out_len != out || has_arrived(s, io);
        if (has_arrived(s, io))
            try_to_take(s);
    }
    return INFLATER_MORE;
}

const struct inflater inflater_isal = {create, reset, step, free_isal,
                                       use_team};

#else

const struct inflater inflater_isal = {0};

#endif
