/*
 * regex_find.c - finds parts of a record by regular expression (PCRE2)
 */
#include "regex_find.h"

#ifdef FRESHET_HAVE_PCRE2

#    define PCRE2_CODE_UNIT_WIDTH 8
#    include <pcre2.h>
#    include <stdint.h>
#    include <stdlib.h>

#    include "initialised.h"
#    include "library.h"

#    define FUNCTIONS(F)                                                       \
        F(pcre2_code_free)                                                     \
        F(pcre2_compile)                                                       \
        F(pcre2_get_error_message)                                             \
        F(pcre2_get_ovector_pointer)                                           \
        F(pcre2_jit_compile)                                                   \
        F(pcre2_jit_match)                                                     \
        F(pcre2_jit_stack_assign)                                              \
        F(pcre2_jit_stack_create)                                              \
        F(pcre2_jit_stack_free)                                                \
        F(pcre2_match)                                                         \
        F(pcre2_match_context_create)                                          \
        F(pcre2_match_context_free)                                            \
        F(pcre2_match_data_create_from_pattern)                                \
        F(pcre2_match_data_free)                                               \
        F(pcre2_pattern_info)                                                  \
        F(pcre2_set_match_limit)
LIBRARY(pcre2, FRESHET_PCRE2, "libpcre2-8-0", FUNCTIONS)

enum {
    STEPS = 10000000,    /* limit of backtracking: some tenths of a second */
    STACK_FIRST = 32768, /* stack of the compiled code, in bytes */
    STACK_MOST = 8 << 20
};

struct regex {
    pcre2_code *code;
    bool shares_code; /* the code belongs to another regex */
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
    uint32_t groups;
    bool fast;  /* compiled to machine code that is run without checks */
    int status; /* status of the last match */
};

static void explain(struct fault *why, int status, const char *where,
                    size_t offset)
{
    PCRE2_UCHAR text[200] = "";

    pcre2.pcre2_get_error_message(status, text, sizeof text);
    if (where && !where[offset])
        fault_set(why, "regular expression, at its end: %s",
                  (const char *)text);
    else if (where)
        fault_set(why, "regular expression, at '%.40s': %s", where + offset,
                  (const char *)text);
    else
        fault_set(why, "regular expression: %s", (const char *)text);
}

/* Allocates what matching needs; records are checked only for (*UTF).  Returns
   false if there is no memory. */
static bool make_room(struct regex *r)
{
    uint32_t options = 0;
    size_t machine_code = 0;

    pcre2.pcre2_pattern_info(r->code, PCRE2_INFO_CAPTURECOUNT, &r->groups);
    pcre2.pcre2_pattern_info(r->code, PCRE2_INFO_ALLOPTIONS, &options);
    pcre2.pcre2_pattern_info(r->code, PCRE2_INFO_JITSIZE, &machine_code);
    if (machine_code) {
        r->stack = pcre2.pcre2_jit_stack_create(STACK_FIRST, STACK_MOST, NULL);
        r->fast = !(options & PCRE2_UTF);
    }
    r->data = pcre2.pcre2_match_data_create_from_pattern(r->code, NULL);
    r->context = pcre2.pcre2_match_context_create(NULL);
    if (!r->data || !r->context)
        return false;
    pcre2.pcre2_set_match_limit(r->context, STEPS);
    if (r->stack)
        pcre2.pcre2_jit_stack_assign(r->context, NULL, r->stack);
    return true;
}

struct regex *regex_create(const char *expression, bool ignore_case,
                           struct fault *why)
{
    PCRE2_SIZE offset = 0;
    struct regex *r;
    int status = 0;

    if (!library_load(&pcre2_library, "a regular expression", why))
        return NULL;
    r = calloc(1, sizeof *r);
    if (!r) {
        fault_set(why, "out of memory");
        return NULL;
    }
    r->code = pcre2.pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED,
                                  ignore_case ? PCRE2_CASELESS : 0, &status,
                                  &offset, NULL);
    if (r->code) /* machine code, if possible */
        pcre2.pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE);
    if (!r->code)
        explain(why, status, expression, offset);
    else if (!make_room(r))
        fault_set(why, "out of memory");
    else if (r->groups > REGEX_PARTS)
        fault_set(why, "regular expression: more than 64 groups; write groups "
                       "that are not part of the key as (?:...)");
    else
        return r;
    regex_free(r);
    return NULL;
}

struct regex *regex_clone(const struct regex *r)
{
    struct regex *shares_code = calloc(1, sizeof *shares_code);

    if (!shares_code)
        return NULL;
    shares_code->code = r->code;
    shares_code->shares_code = true;
    if (make_room(shares_code))
        return shares_code;
    regex_free(shares_code);
    return NULL;
}

void regex_free(struct regex *r)
{
    if (!r)
        return;
    pcre2.pcre2_jit_stack_free(r->stack);
    pcre2.pcre2_match_context_free(r->context);
    pcre2.pcre2_match_data_free(r->data);
    if (!r->shares_code)
        pcre2.pcre2_code_free(r->code);
    free(r);
}

size_t regex_parts(const struct regex *r)
{
    return r->groups ? r->groups : 1;
}

static void set_parts(const struct regex *r, const char *at, struct view *part)
{
    const PCRE2_SIZE *span = pcre2.pcre2_get_ovector_pointer(r->data);
    size_t first = r->groups ? 1 : 0, n = regex_parts(r);

    INITIALISED(span, 2 * (first + n) * sizeof *span);
    for (size_t i = 0; i < n; i++) {
        PCRE2_SIZE from = span[2 * (first + i)], to = span[2 * (first + i) + 1];

        part[i] = (struct view){NULL, 0};
        if (from != PCRE2_UNSET && from <= to)
            part[i] = (struct view){at + from, to - from};
    }
}

int regex_find(struct regex *r, struct view record, struct view *part)
{
    const char *at = record.len ? record.at : "";
    PCRE2_SPTR subject = (PCRE2_SPTR)at;

    if (r->fast)
        r->status = pcre2.pcre2_jit_match(r->code, subject, record.len, 0, 0,
                                          r->data, r->context);
    else
        r->status = pcre2.pcre2_match(r->code, subject, record.len, 0, 0,
                                      r->data, r->context);
    if (r->status == PCRE2_ERROR_NOMATCH)
        return REGEX_MISSING;
    if (r->status < 0)
        return REGEX_FAILED;
    set_parts(r, at, part);
    return REGEX_OK;
}

void regex_reason(const struct regex *r, struct fault *why)
{
    explain(why, r->status, NULL, 0);
}

#else /* built without */

struct regex *regex_create(const char *expression, bool ignore_case,
                           struct fault *why)
{
    (void)expression;
    (void)ignore_case;
    fault_set(why, "regular expressions: this freshet was built without PCRE2");
    return NULL;
}

struct regex *regex_clone(const struct regex *r)
{
    (void)r;
    return NULL;
}

void regex_free(struct regex *r)
{
    (void)r;
}

/* There is no expression. */
size_t regex_parts(const struct regex *r)
{
    (void)r;
    return 0;
}

int regex_find(struct regex *r, struct view record, struct view *part)
{
    (void)r;
    (void)record;
    (void)part;
    return REGEX_FAILED;
}

void regex_reason(const struct regex *r, struct fault *why)
{
    (void)r;
    fault_set(why, "regular expressions: this freshet was built without PCRE2");
}

#endif
