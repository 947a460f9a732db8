/*
 * test_deciders.c - verdicts of each decider, and what it can undo
 */
#include <stdlib.h>

#include "audit.h"
#include "check.h"
#include "decider.h"
#include "output_mode.h"

enum { KEYS = 1000 };

static freshet *make_filter_of(const freshet_options *o)
{
    freshet *f = NULL;

    assert_int_equal(freshet_create(&f, o, NULL), 0);
    return f;
}

static freshet *make_filter(uint64_t within)
{
    freshet_options o = {.size = sizeof o,
                         .memory = 1 << 20,
                         .within = within,
                         .seed = 1};

    return make_filter_of(&o);
}

/* Letters are keys; a decision of them all. */
static void decide(struct decider *d, struct decision *b, const char *letters)
{
    static freshet_hash hash[KEYS];
    static uint8_t verdict[KEYS];
    struct fault why;

    b->n = strlen(letters);
    b->hash = hash;
    b->verdict = verdict;
    for (size_t i = 0; i < b->n; i++)
        hash[i] = freshet_hash_with(&d->hasher, letters + i, 1);
    d->type->submit(d, b);
    assert_true(d->type->collect(d, b, &why));
}

/* Verdicts as digits. */
static void assert_verdicts(struct decider *d, struct decision *b,
                            const char *letters, const char *wanted)
{
    char digits[KEYS + 1] = "";

    decide(d, b, letters);
    for (size_t i = 0; i < b->n; i++)
        digits[i] = (char)('0' + b->verdict[i]);
    assert_string_equal(digits, wanted);
}

static void a_local_filter_offers_or_asks(void **state)
{
    freshet *f = make_filter(0);
    struct decider *offer = decider_local(f, DECIDER_OFFER);
    struct decider *ask = decider_local(f, DECIDER_QUERY);
    struct decision b = {0};

    (void)state;
    assert_verdicts(ask, &b, "abab", "0000");
    assert_verdicts(offer, &b, "aba", "001");
    assert_verdicts(ask, &b, "abc", "110");
    decider_close(offer);
    decider_close(ask);
    freshet_free(f);
}

static void each_key_may_have_its_own_operation(void **state)
{
    static const uint8_t operations[] = {DECIDER_QUERY, DECIDER_REMEMBER,
                                         DECIDER_QUERY, DECIDER_OFFER,
                                         DECIDER_OFFER, DECIDER_REMEMBER};
    freshet *f = make_filter(0);
    struct decider *d = decider_local(f, DECIDER_OFFER);
    struct decision b = {.operation = operations};

    (void)state;
    assert_verdicts(d, &b, "aaabbb", "001010");
    decider_close(d);
    freshet_free(f);
}

static void time_is_that_of_the_decision_or_of_each_key(void **state)
{
    static const uint64_t times[] = {100, 105, 125, 140};
    freshet *f = make_filter(10), *g = make_filter(10);
    struct decider *d = decider_local(f, DECIDER_OFFER);
    struct decider *e = decider_local(g, DECIDER_OFFER);
    struct decision b = {.now = 100};

    (void)state;
    assert_verdicts(d, &b, "aa", "01");
    b.now = 105;
    assert_verdicts(d, &b, "a", "1");
    b.now = 125;
    assert_verdicts(d, &b, "a", "0");
    b = (struct decision){.time = times};
    assert_verdicts(e, &b, "aaaa", "0100");
    decider_close(d);
    decider_close(e);
    freshet_free(f);
    freshet_free(g);
}

static void a_first_repeat_is_told_from_later_ones(void **state)
{
    freshet *f = make_filter(0), *g = make_filter(0);
    struct decider *d =
        decider_first_repeat(decider_local(f, DECIDER_OFFER), g);
    struct decision b = {0};
    char many[KEYS];

    (void)state;
    assert_verdicts(d, &b, "abaabb", "002121");
    assert_verdicts(d, &b, "acc", "102");
    memset(many, 'x', sizeof many - 1); /* more than are looked at at once */
    many[sizeof many - 1] = '\0';
    decide(d, &b, many);
    for (size_t i = 0; i < b.n; i++)
        assert_int_equal(b.verdict[i], i == 0   ? VERDICT_NEW
                                       : i == 1 ? VERDICT_FIRST_REPEAT
                                                : VERDICT_REPEAT);
    decider_close(d);
    freshet_free(f);
    freshet_free(g);
}

/* The filter of repeats gets one key of a hundred. */
static void a_window_of_first_repeats_counts_all_records(void **state)
{
    freshet_options o = {.size = sizeof o,
                         .memory = 1 << 20,
                         .algorithm = "pocket",
                         .params = "refresh=0",
                         .window = 16,
                         .seed = 1};
    freshet *f = make_filter_of(&o), *g;
    struct decision b = {0};
    struct decider *d;

    (void)state;
    first_repeat_options(&o);
    g = make_filter_of(&o);
    d = decider_first_repeat(decider_local(f, DECIDER_OFFER), g);
    assert_verdicts(d, &b, "aaa", "021");
    assert_verdicts(d, &b, "bcdefghijklmnopqrstu", "00000000000000000000");
    decider_close(d); /* as a run that is resumed */
    d = decider_first_repeat(decider_local(f, DECIDER_OFFER), g);
    assert_verdicts(d, &b, "aaa", "021");
    decider_close(d);
    freshet_free(f);
    freshet_free(g);
}

static void what_was_decided_can_be_undone_from_the_end(void **state)
{
    freshet *f = make_filter(0), *g = make_filter(0);
    struct decider *d =
        decider_first_repeat(decider_local(f, DECIDER_OFFER), g);
    struct decision b = {0};

    (void)state;
    assert_verdicts(d, &b, "abaab", "00212");
    for (size_t i = 5; i-- > 1;)
        assert_true(d->type->undo(d, b.hash[i], (enum verdict)b.verdict[i]));
    assert_verdicts(d, &b, "abab", "2012");
    decider_close(d);
    freshet_free(f);
    freshet_free(g);
}

static void an_audit_sees_every_verdict(void **state)
{
    freshet *f = make_filter(0);
    struct audit *audit = audit_create(1 << 16, 1, (struct audit_window){0});
    struct decider *d = decider_audited(decider_local(f, DECIDER_OFFER), audit);
    struct decision b = {0};
    struct audit_report report;
    freshet_info info = {.size = sizeof info};

    (void)state;
    assert_verdicts(d, &b, "abab", "0011");
    assert_verdicts(d, &b, "abc", "110");
    audit_get_report(audit, &report);
    assert_int_equal(report.false_drop.n, 3);
    assert_int_equal(report.false_pass.n, 4);
    d->type->info(d, &info);
    assert_int_equal(info.offered, 7);
    decider_close(d);
    audit_free(audit);
    freshet_free(f);
}

/* What an audit of a filter that knew keys finds, in batches of a size. */
static struct audit_report late_report(size_t batch)
{
    enum { N = 5000 };
    freshet_options o = {.size = sizeof o,
                         .algorithm = "set",
                         .memory = 4096,
                         .seed = 1};
    freshet *f = make_filter_of(&o);
    struct audit *audit = audit_create(1 << 16, 1, (struct audit_window){0});
    struct decider *d = decider_audited(decider_local(f, DECIDER_OFFER), audit);
    static freshet_hash hash[N];
    static uint8_t verdict[N];
    struct audit_report report;
    struct fault why;

    audit_begin_late(audit);
    for (uint64_t i = 0; i < N; i++)
        hash[i] = freshet_hash_key(f, &i, sizeof i);
    for (size_t from = 0; from < N; from += batch) {
        struct decision b = {.n = N - from < batch ? N - from : batch,
                             .hash = hash + from,
                             .verdict = verdict + from};

        d->type->submit(d, &b);
        assert_true(d->type->collect(d, &b, &why));
    }
    audit_get_report(audit, &report);
    decider_close(d);
    audit_free(audit);
    freshet_free(f);
    return report;
}

/* A filter that fills up while it is audited: made-up keys are asked at the
   same records, whatever batches these come in. */
static void an_audit_does_not_depend_on_batches(void **state)
{
    struct audit_report one = late_report(1);
    static const size_t batches[] = {2, 7, 64, 1000, 5000};

    (void)state;
    assert_int_equal(one.false_drop.n, 1024 + (5000 - 1024 + 63) / 64);
    assert_true(one.false_drop.wrong > 0);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        struct audit_report r = late_report(batches[i]);

        assert_int_equal(r.false_drop.n, one.false_drop.n);
        assert_int_equal(r.false_drop.wrong, one.false_drop.wrong);
        assert_int_equal(r.false_pass.n, one.false_pass.n);
    }
}

/* Every verdict is printed, or not, as the option says. */
static void each_mode_shows_its_verdicts(void **state)
{
    static const struct {
        int mode;
        const char *shown; /* a digit for each verdict, 1 if it is shown */
    } wanted[] = {
        {OUTPUT_NEW, "1001101010"},           {OUTPUT_REPEATS, "0110000010"},
        {OUTPUT_FIRST_REPEATS, "0010000010"}, {OUTPUT_ALL, "1111101010"},
        {OUTPUT_NOTHING, "0000000000"},
    };

    (void)state;
    for (size_t i = 0; i < OUTPUT_MODES; i++) {
        const struct output_mode *mode = &output_modes[wanted[i].mode];

        for (unsigned v = 0; v < VERDICTS; v++)
            assert_int_equal(mode->shows >> v & 1, wanted[i].shown[v] == '1');
    }
}

static void counts_are_sums_over_verdicts(void **state)
{
    struct engine_counts counts = {.bytes_read = 0};
    uint8_t verdict[VERDICTS * 7];

    (void)state;
    for (size_t i = 0; i < sizeof verdict; i++)
        verdict[i] = (uint8_t)(i % VERDICTS);
    for (size_t n = 0; n <= sizeof verdict; n++) {
        struct engine_counts some = {.bytes_read = 0};

        counts_add(&some, verdict, n);
        assert_int_equal(counts_of(&some, VERDICTS_ALL), n);
    }
    counts_add(&counts, verdict, sizeof verdict);
    assert_int_equal(counts_of(&counts, VERDICTS_REPEATS), 14);
    assert_int_equal(counts_of(&counts, VERDICTS_PASSED), 28);
    assert_int_equal(counts_of(&counts, VERDICTS_DROPPED), 21);
    assert_int_equal(counts_of(&counts, VERDICTS_COMPARED), 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_local_filter_offers_or_asks),
        cmocka_unit_test(each_key_may_have_its_own_operation),
        cmocka_unit_test(time_is_that_of_the_decision_or_of_each_key),
        cmocka_unit_test(a_first_repeat_is_told_from_later_ones),
        cmocka_unit_test(a_window_of_first_repeats_counts_all_records),
        cmocka_unit_test(what_was_decided_can_be_undone_from_the_end),
        cmocka_unit_test(an_audit_sees_every_verdict),
        cmocka_unit_test(an_audit_does_not_depend_on_batches),
        cmocka_unit_test(each_mode_shows_its_verdicts),
        cmocka_unit_test(counts_are_sums_over_verdicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
