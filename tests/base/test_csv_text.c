/*
 * test_csv_text.c - records and columns of CSV
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "csv_text.h"

static struct view view_of(const char *text)
{
    return (struct view){text, strlen(text)};
}

/* Records as "<a><b>", fed n bytes at a time; "!2" if a quote of line 2 stays
   open. */
static void split(char *out, const char *input, char separator, size_t n)
{
    size_t len = strlen(input), start = 0, at = 0;
    struct csv_splitter s;

    csv_splitter_init(&s, separator);
    *out = '\0';
    while (at < len) {
        const char *to = input + (len - at < n ? len : at + n);
        const char *end = csv_record_end(&s, input + at, to);

        at = (size_t)((end ? end + 1 : to) - input);
        if (end) {
            out += sprintf(out, "<%.*s>", (int)(at - 1 - start), input + start);
            start = at;
        }
    }
    out += sprintf(out, "%s", input + start);
    if (csv_open_quote(&s))
        sprintf(out, "!%d", (int)csv_open_quote(&s));
}

#define assert_splits(input, separator, wanted)                                \
    do {                                                                       \
        for (size_t n_ = 1; n_ <= strlen(input) + 1; n_++) {                   \
            char out_[256];                                                    \
            split(out_, input, separator, n_);                                 \
            assert_string_equal(out_, wanted);                                 \
        }                                                                      \
    } while (0)

static void newlines_end_records_unless_quoted(void **state)
{
    (void)state;
    assert_splits("a,b\nc,d\n", ',', "<a,b><c,d>");
    assert_splits("a,b\n\n\nc", ',', "<a,b><><>c");
    assert_splits("a,\"b\nc\",d\ne\n", ',', "<a,\"b\nc\",d><e>");
    assert_splits("\"\n\n\"\nx\n", ',', "<\"\n\n\"><x>");
    assert_splits("\"a\"\"\n\"\"b\"\nx\n", ',', "<\"a\"\"\n\"\"b\"><x>");
    assert_splits("\"\"\n\"\"\"\"\nx\n", ',', "<\"\"><\"\"\"\"><x>");
    assert_splits("a,\"b\"\r\nc\r\n", ',', "<a,\"b\"\r><c\r>");
    assert_splits("a;\"b\n\"\n", ';', "<a;\"b\n\">");
    assert_splits("a,\"b\nc\n", ';', "<a,\"b><c>");
}

static void quotes_inside_a_plain_field_are_data(void **state)
{
    (void)state;
    assert_splits("5\" pipe,6\"\nb\n", ',', "<5\" pipe,6\"><b>");
    assert_splits("a \"b\nc\" d\n", ',', "<a \"b><c\" d>");
    assert_splits("x\"\",\"\n\"\ny\n", ',', "<x\"\",\"\n\"><y>");
}

static void text_after_a_closing_quote_ends_with_its_line(void **state)
{
    (void)state;
    assert_splits("\"a\"b\nc\n", ',', "<\"a\"b><c>");
    assert_splits("\"a\" \"b\nc\n", ',', "<\"a\" \"b><c>");
    assert_splits("\"a\"b,\"\n\"\nc\n", ',', "<\"a\"b,\"\n\"><c>");
}

static void an_open_quote_has_the_line_where_it_opened(void **state)
{
    (void)state;
    assert_splits("a\n\"b\nc\n", ',', "<a>\"b\nc\n!2");
    assert_splits("a\n\"", ',', "<a>\"!2");
    assert_splits("a\n\"\"", ',', "<a>\"\"");
    assert_splits("a\n\"\"\"", ',', "<a>\"\"\"!2");
    assert_splits("\"\n\n\",\"x\n", ',', "\"\n\n\",\"x\n!3");
    assert_splits("\"\n\"\n\n\"x\n", ',', "<\"\n\"><>\"x\n!4");
}

static struct csv *columns_of(const char *list, char separator)
{
    struct fault why = {""};
    struct csv *csv = csv_create(list, separator, &why);

    if (!csv)
        fail_msg("%s", why.text);
    return csv;
}

/* The listed fields, decoded, as "[a][b]", "-" for a missing one. */
static int find(char *out, const struct csv *csv, const char *text)
{
    size_t len = strlen(text);
    char *record = malloc(len + !len), *scratch = malloc(len + !len);
    struct csv_field field[CSV_COLUMNS];
    int status;

    assert_non_null(record);
    assert_non_null(scratch);
    memcpy(record, text, len); /* no zero behind it to run into */
    status = csv_find(csv, (struct view){record, len}, field);
    *out = '\0';
    for (size_t i = 0; i < csv->n && status == CSV_OK; i++)
        if (field[i].found) {
            struct view v = csv_text(&field[i], scratch);

            out += sprintf(out, "[%.*s]", (int)v.len, v.at);
        } else {
            out += sprintf(out, "-");
        }
    free(record);
    free(scratch);
    return status;
}

#define assert_fields(list, separator, record, wanted)                         \
    do {                                                                       \
        char out_[256];                                                        \
        struct csv *csv_ = columns_of(list, separator);                        \
        assert_int_equal(find(out_, csv_, record), CSV_OK);                    \
        assert_string_equal(out_, wanted);                                     \
        csv_free(csv_);                                                        \
    } while (0)

static void columns_are_found_by_number_in_list_order(void **state)
{
    (void)state;
    assert_fields("2", ',', "a,b,c", "[b]");
    assert_fields("3,1", ',', "a,b,c", "[c][a]");
    assert_fields("1,1,2", ',', "a,b,c", "[a][a][b]");
    assert_fields("1,2,3,4", ',', ",,x", "[][][x]-");
    assert_fields("1,2", ',', "", "[]-");
    assert_fields("1,2", '\t', "a,b\tc", "[a,b][c]");
    assert_fields("99999999999999999999999", ',', "a", "-");
    assert_fields("1,2", ',', "a field longer than sixteen bytes,and another",
                  "[a field longer than sixteen bytes][and another]");
}

static void quoted_and_plain_fields_are_one_key(void **state)
{
    (void)state;
    assert_fields("1,2", ',', "\"a\",b", "[a][b]");
    assert_fields("1,2", ',', "\"a,b\nc\",\"\"", "[a,b\nc][]");
    assert_fields("1,2", ',', "\"\"\"a\"\"\",\"\"\"\"", "[\"a\"][\"]");
    assert_fields("1,2", ',', "a\"\"b,\"a\"\"\"\"b\"", "[a\"\"b][a\"\"b]");
    assert_fields("1", ',', "5\" pipe", "[5\" pipe]");
}

static void a_carriage_return_at_the_end_is_not_data(void **state)
{
    (void)state;
    assert_fields("1,2", ',', "a,b\r", "[a][b]");
    assert_fields("1,2", ',', "a,\"b\"\r", "[a][b]");
    assert_fields("1,2", ',', "a\r,b\r\r", "[a\r][b\r]");
    assert_fields("1", ',', "\r", "[]");
}

static void wrong_quotes_are_malformed(void **state)
{
    static const char *const wrong[] = {
        "a,\"b",     "a,\"b\"c",   "a,\"",    "a,\"b\" ,c",
        "a,\"b\"\"", "a,\"b\"\"c", "a,\"b\r",
    };
    struct csv *first = columns_of("1", ','), *second = columns_of("2", ',');
    char out[256];

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(find(out, first, wrong[i]), CSV_MALFORMED);
        assert_int_equal(find(out, second, wrong[i]), CSV_MALFORMED);
    }
    csv_free(first);
    csv_free(second);
}

static void a_header_turns_names_into_numbers(void **state)
{
    struct csv *csv = columns_of("name,1,\"a,\"\"b\",\"2\"", ',');
    struct csv *one = csv_with_header(csv,
                                      view_of("\xef\xbb\xbf"
                                              "2,id,\"a,\"\"b\",name\r"),
                                      NULL);
    struct csv *other =
        csv_with_header(csv, view_of("name,\"a,\"\"b\",2"), NULL);
    char out[256];

    (void)state;
    assert_true(csv_wants_header(csv));
    csv_free(csv);
    assert_non_null(one);
    assert_non_null(other);
    assert_int_equal(find(out, one, "w,x,y,z"), CSV_OK);
    assert_string_equal(out, "[z][w][y][w]");
    assert_int_equal(find(out, other, "w,x,y,z"), CSV_OK);
    assert_string_equal(out, "[w][w][x][y]");
    csv_free(one);
    csv_free(other);
    csv = columns_of("1,2", ',');
    assert_false(csv_wants_header(csv));
    csv_free(csv);
}

static void a_name_must_be_in_the_header_once(void **state)
{
    struct csv *csv = columns_of("id", ',');
    struct fault why = {""};

    (void)state;
    assert_null(csv_with_header(csv, view_of("a,b,ids,i"), &why));
    assert_string_equal(why.text, "column 'id' is not in the header");
    assert_null(csv_with_header(csv, view_of("id,b,id"), &why));
    assert_string_equal(why.text, "column 'id' occurs twice in the header; use "
                                  "its number");
    assert_null(csv_with_header(csv, view_of("a,\"id"), &why));
    assert_contains(why.text, "quotes of the header are wrong");
    assert_null(csv_with_header(csv, view_of(""), &why));
    csv_free(csv);
}

static void a_bad_list_is_refused_with_a_reason(void **state)
{
    static const struct {
        const char *list, *why;
    } cases[] = {
        {"", "CSV columns '': a column is missing"},
        {"a,", "CSV columns 'a,': a column is missing"},
        {",a", "a column is missing"},
        {"0", "columns count from 1"},
        {"\"a", "closing quote"},
        {"\"a\"b", "closing quote"},
        {"\"", "closing quote"},
    };
    struct fault why = {""};
    char many[4 * CSV_COLUMNS];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(csv_create(cases[i].list, ',', &why));
        assert_contains(why.text, cases[i].why);
    }
    for (size_t i = 0; i < 2 * (CSV_COLUMNS + 1); i += 2)
        memcpy(many + i, "1,", 3);
    many[2 * CSV_COLUMNS + 1] = '\0';
    assert_null(csv_create(many, ',', &why));
    assert_contains(why.text, "more than 64 columns");
    many[2 * CSV_COLUMNS - 1] = '\0';
    csv_free(columns_of(many, ','));
}

static void columns_are_listed_or_not(void **state)
{
    struct csv *csv = columns_of("3,1,3", ',');
    size_t at = 0;

    (void)state;
    assert_true(csv_lists(csv, 0, &at));
    assert_false(csv_lists(csv, 1, &at));
    assert_true(csv_lists(csv, 2, &at));
    assert_false(csv_lists(csv, 3, &at));
    csv_free(csv);
}

static void a_record_is_checked_behind_its_columns(void **state)
{
    static const char *const records[] = {
        "a,\"b",
        "a,\"b\"c",
        "a,b,\"\"\",d",
        "a,b,c,\"d\"e,f",
    };
    static const char *const good[] = {"a,b\"c", "a,\"b,\"\"c\"", "a,\"\"",
                                       "a,\"b\",c\"d\r"};
    struct csv *csv = columns_of("1", ',');
    char out[256];

    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        assert_int_equal(find(out, csv, records[i]), CSV_MALFORMED);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(find(out, csv, good[i]), CSV_OK);
        assert_string_equal(out, "[a]");
    }
    csv_free(csv);
}

static void quotes_and_line_ends_separate_nothing(void **state)
{
    (void)state;
    assert_true(csv_is_separator(','));
    assert_true(csv_is_separator('\t'));
    assert_false(csv_is_separator('"'));
    assert_false(csv_is_separator('\n'));
    assert_false(csv_is_separator('\r'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newlines_end_records_unless_quoted),
        cmocka_unit_test(quotes_inside_a_plain_field_are_data),
        cmocka_unit_test(text_after_a_closing_quote_ends_with_its_line),
        cmocka_unit_test(an_open_quote_has_the_line_where_it_opened),
        cmocka_unit_test(columns_are_found_by_number_in_list_order),
        cmocka_unit_test(quoted_and_plain_fields_are_one_key),
        cmocka_unit_test(a_carriage_return_at_the_end_is_not_data),
        cmocka_unit_test(wrong_quotes_are_malformed),
        cmocka_unit_test(a_header_turns_names_into_numbers),
        cmocka_unit_test(a_name_must_be_in_the_header_once),
        cmocka_unit_test(a_bad_list_is_refused_with_a_reason),
        cmocka_unit_test(columns_are_listed_or_not),
        cmocka_unit_test(a_record_is_checked_behind_its_columns),
        cmocka_unit_test(quotes_and_line_ends_separate_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
