/*
 * fuzz_state.c - a state file is refused with a reason, or loads, works and is
 * the same when it is saved again
 *
 * Checksums would refuse all files that were changed, so they are computed
 * again, unless the first byte says otherwise.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "saved_block.h"
#include "snapshot.h"

enum { ALIGN = 64, NOTE_HEAD = 16, NOTE_LENGTH = 12 }; /* doc/format.md */

/* Writes the right checksum after a filter, if there is one and there is room.
   Returns the size of both, or 0 if there is none. */
static size_t mend_filter(uint8_t *at, size_t len, freshet **f)
{
    freshet_hash sum;
    size_t bytes;

    *f = NULL;
    if (len <= SAVED_BLOCK_TRAILER ||
        freshet_attach(f, at, len - SAVED_BLOCK_TRAILER, NULL) < 0)
        return 0;
    (void)freshet_block(*f, &bytes);
    sum = saved_block_trailer(*f);
    memcpy(at + bytes, &sum, SAVED_BLOCK_TRAILER);
    return bytes + SAVED_BLOCK_TRAILER;
}

/* The same for notes. */
static size_t mend_notes(uint8_t *at, size_t len, const freshet *f)
{
    freshet_hash sum;
    uint32_t text;

    if (len < NOTE_HEAD + sizeof sum)
        return 0;
    memcpy(&text, at + NOTE_LENGTH, sizeof text);
    if (text > len - NOTE_HEAD - sizeof sum)
        return 0;
    sum = freshet_hash_key(f, at, NOTE_HEAD + text);
    memcpy(at + NOTE_HEAD + text, &sum, sizeof sum);
    return NOTE_HEAD + text + sizeof sum;
}

static void mend(uint8_t *at, size_t len)
{
    freshet *f, *second = NULL;
    size_t used = mend_filter(at, len, &f), notes;

    if (used && used < len) {
        notes = mend_notes(at + used, len - used, f);
        used = (used + notes + ALIGN - 1) / ALIGN * ALIGN;
        if (notes && used < len)
            (void)mend_filter(at + used, len - used, &second);
    }
    freshet_free(second);
    freshet_free(f);
}

/* Saved and loaded again, notes and filters are the same, and both work. */
static void save_again(const struct snapshot *s)
{
    struct snapshot_parts parts = {s->filter, s->repeated,
                                   s->notes.len ? &s->notes : NULL};
    char name[] = "/tmp/fuzz_state.XXXXXX";
    int fd = mkstemp(name);
    struct snapshot other;
    struct fault why = {""};
    size_t one, two;

    MUST(fd >= 0);
    close(fd);
    MUST(snapshot_save(&parts, name, &why));
    MUST(snapshot_load(&other, name, &why) == SNAPSHOT_LOADED);
    (void)freshet_block(s->filter, &one);
    (void)freshet_block(other.filter, &two);
    MUST(one == two);
    MUST((s->repeated != NULL) == (other.repeated != NULL));
    MUST(other.notes.len == s->notes.len &&
         memcmp(other.notes.text, s->notes.text, s->notes.len) == 0);
    snapshot_free(&other);
    (void)unlink(name);
}

static void use(const struct snapshot *s)
{
    freshet *both[] = {s->filter, s->repeated};

    for (int i = 0; i < 2 && both[i]; i++)
        for (int key = 0; key < 20; key++)
            MUST(freshet_offer(both[i], &key, sizeof key) <= 1);
    for (int i = 0; i < NOTE_KINDS; i++) {
        struct view line = key_note_line(&s->notes, (enum note)i);

        MUST(!line.at || (line.at >= s->notes.text &&
                          line.at + line.len <= s->notes.text + s->notes.len));
    }
    (void)key_note_rules(&s->notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = aligned_alloc(ALIGN, (size + ALIGN) / ALIGN * ALIGN);
    static struct snapshot s;
    struct fault why = {""};
    char path[32];
    FILE *file;

    MUST(bytes);
    if (size > 1) {
        memcpy(bytes, data + 1, size - 1);
        if (data[0] % 4)
            mend(bytes, size - 1);
    }
    file = file_of(path, bytes, size ? size - 1 : 0);
    if (snapshot_load(&s, path, &why) == SNAPSHOT_LOADED) {
        if (data[0] & 8)
            save_again(&s);
        use(&s);
        snapshot_free(&s);
    } else {
        must_be_line(why.text);
    }
    fclose(file);
    free(bytes);
    return 0;
}
