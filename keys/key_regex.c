/*
 * key_regex.c - keys of the groups of a regular expression, or of the whole
 * match
 */
#include "key_type.h"
#include "regex_find.h"

static bool compile(struct key *key, struct fault *why)
{
    key->compiled = regex_create(key->text, key->settings.fold, why);
    return key->compiled;
}

/*
 * Of alternatives, one group matches and the others are absent.  A part is
 * missing only if no group matches.
 */
static enum key_result extract(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out)
{
    struct regex *regex = key->compiled;
    struct view part[REGEX_PARTS];
    size_t n = regex_parts(regex);
    int status = regex_find(regex, record, part);
    enum key_result result = KEY_MISSING;

    (void)out;
    if (status < 0)
        return KEY_MALFORMED;
    for (size_t i = 0; i < n; i++) {
        bool there = status == REGEX_OK && part[i].at;

        if (there)
            result = KEY_FOUND;
        if (there ? !key_add_part(scratch, part[i]) : !key_add_absent(scratch))
            return KEY_MEMORY;
    }
    return result;
}

static void *clone(const void *compiled)
{
    return regex_clone(compiled);
}

static void free_regex(void *compiled)
{
    regex_free(compiled);
}

const struct key_type key_regex = {
    .option = "regex",
    .words = "regex",
    .malformed = "takes too many steps to match --regex",
    .compile = compile,
    .extract = extract,
    .clone = clone,
    .free = free_regex,
};
