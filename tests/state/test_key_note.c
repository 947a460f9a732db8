/*
 * test_key_note.c - notes come back as they were written, or are refused
 */
#include "check.h"
#include "key_note.h"

static freshet *make_filter(void)
{
    freshet_options o = {.size = sizeof o, .memory = 1 << 16, .seed = 1};
    freshet *f;

    assert_int_equal(freshet_create(&f, &o, NULL), FRESHET_OK);
    return f;
}

/* Two lines, of a key by columns.  False: they are too long. */
static bool try_notes(struct key_note *n, const char *columns)
{
    struct key_settings settings = KEY_SETTINGS;
    struct key *key = key_create("csv", columns, &settings, NULL);
    bool made;

    assert_non_null(key);
    made = key_note_make(n, key, '\n');
    key_free(key);
    return made;
}

static void make_notes(struct key_note *n, const char *columns)
{
    assert_true(try_notes(n, columns));
}

static void what_is_packed_is_unpacked(void **state)
{
    static char bytes[KEY_NOTE_BYTES];
    static struct key_note n, again;
    freshet *f = make_filter();
    struct fault why;
    size_t len;

    (void)state;
    make_notes(&n, "a\n\x1b%b");
    assert_true(key_note_add(&n, NOTE_CLOCK, "event"));
    len = key_note_pack(&n, f, bytes);
    assert_int_equal(key_note_unpack(&again, f, bytes, len, &why), len);
    assert_view(key_note_line(&again, NOTE_KEYS), "--csv a%0A%1B%25b");
    assert_view(key_note_line(&again, NOTE_RECORDS), "newline");
    assert_view(key_note_line(&again, NOTE_CLOCK), "event");
    freshet_free(f);
}

static void the_place_of_a_partition_is_kept(void **state)
{
    static char bytes[KEY_NOTE_BYTES], group[300];
    static struct key_note n, again;
    freshet *f = make_filter();
    struct fault why;
    size_t len;

    (void)state;
    memset(group, 'g', sizeof group - 1);
    make_notes(&n, "a");
    assert_true(key_note_add(&n, NOTE_FROM, "orders/3 by header:a\tb"));
    assert_true(key_note_add(&n, NOTE_GROUP, group));
    assert_true(key_note_add(&n, NOTE_PLACE, "1200 700 -1"));
    len = key_note_pack(&n, f, bytes);
    assert_int_equal(key_note_unpack(&again, f, bytes, len, &why), len);
    assert_view(key_note_line(&again, NOTE_FROM), "orders/3 by header:a%09b");
    assert_null(key_note_line(&again, NOTE_TO).at);
    assert_view(key_note_line(&again, NOTE_GROUP), group);
    assert_view(key_note_line(&again, NOTE_PLACE), "1200 700 -1");
    freshet_free(f);
}

static void a_line_may_be_missing(void **state)
{
    static struct key_note n;

    (void)state;
    make_notes(&n, "a");
    assert_null(key_note_line(&n, NOTE_CLOCK).at);
    n.len = 0;
    assert_true(key_note_add(&n, NOTE_CLOCK, "event"));
    assert_null(key_note_line(&n, NOTE_KEYS).at);
    assert_view(key_note_line(&n, NOTE_CLOCK), "event");
}

static void no_byte_may_change_and_none_be_missing(void **state)
{
    static char bytes[KEY_NOTE_BYTES];
    static struct key_note n;
    freshet *f = make_filter();
    struct fault why;
    size_t len;

    (void)state;
    make_notes(&n, "abc");
    len = key_note_pack(&n, f, bytes);
    for (size_t i = 0; i < len; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
            assert_true(key_note_unpack(&n, f, bytes, len, &why) == 0);
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
        }
    for (size_t i = 0; i < len; i++)
        assert_true(key_note_unpack(&n, f, bytes, i, &why) == 0);
    assert_int_equal(key_note_unpack(&n, f, bytes, len, &why), len);
    freshet_free(f);
}

/* With a checksum that is right, as a forger would make it. */
static void text_that_is_no_notes_is_refused(void **state)
{
    static const char *const texts[] = {
        "nosuch line\n",
        "keys a",
        "keys\n",
        "records newline\nkeys a\n",
        "keys a\nkeys a\n",
        "keys a\n\n",
        "keys \x1b[31m\n",
        "keys a\nrecords \x7f\n",
        "keys caf\xc3\xa9\n",
        "keys a\nrecords b\nclock c\nmore d\n",
    };
    static char bytes[KEY_NOTE_BYTES];
    static struct key_note n;
    freshet *f = make_filter();
    struct fault why;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        n.len = strlen(texts[i]);
        memcpy(n.text, texts[i], n.len);
        assert_int_equal(key_note_unpack(&n, f, bytes,
                                         key_note_pack(&n, f, bytes), &why),
                         0);
        assert_contains(why.text, "does not know");
    }
    freshet_free(f);
}

static void the_longest_are_refused_when_made(void **state)
{
    static char columns[KEY_NOTE_MOST];
    static struct key_note n;

    (void)state;
    memset(columns, 'x', sizeof columns - 100);
    assert_true(try_notes(&n, columns));
    memset(columns, 'x', sizeof columns - 1);
    assert_false(try_notes(&n, columns));
    memset(columns, '\n', sizeof columns - 100);
    assert_false(try_notes(&n, columns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_is_unpacked),
        cmocka_unit_test(the_place_of_a_partition_is_kept),
        cmocka_unit_test(a_line_may_be_missing),
        cmocka_unit_test(no_byte_may_change_and_none_be_missing),
        cmocka_unit_test(text_that_is_no_notes_is_refused),
        cmocka_unit_test(the_longest_are_refused_when_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
