/*
 * fuzz_argv.c - a command line is refused with a reason, or parsing it again
 * sets the same options and leaves the same operands
 *
 * The first byte chooses the command; a zero byte ends a word.  No command is
 * run: some write files without end.
 */
#include "command.h"
#include "fuzz.h"

enum { WORDS = 64, ARGS = 1 << 14 };

static const struct cli_command *const commands[] = {
    &cmd_filter, &cmd_bench,     &cmd_gen,        &cmd_help,
    &cmd_info,   &cmd_lab_check, &cmd_lab_report, &cmd_lab_reproduce,
    &cmd_list,   &cmd_lab_run,   &cmd_plan,       &cmd_lab,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Defined by main.c, which is not linked here. */
const struct cli_command *const cli_commands[] = {
    &cmd_plan, &cmd_list,  &cmd_info, &cmd_gen,
    &cmd_lab,  &cmd_bench, &cmd_help, NULL,
};

/* Splits text into words, which stay in text.  Returns their number. */
static int split(char *text, size_t size, char **word)
{
    int n = 0;

    for (size_t at = 0; at < size && n < WORDS; at += strlen(text + at) + 1)
        word[n++] = text + at;
    return n;
}

/* Operands are some of the words, in order. */
static void check_operands(char *const *left, int n, char *const *word,
                           int words)
{
    int at = 0;

    for (int i = 0; i < n; i++, at++) {
        while (at < words && word[at] != left[i])
            at++;
        MUST(at < words);
    }
}

static int parse(const struct cli_command *c, char *const *word, int n,
                 char *args)
{
    char *copy[WORDS + 1] = {0}, **argv = copy;
    int argc = n, status;

    memcpy(copy, word, (size_t)n * sizeof *copy);
    memset(args, 0, ARGS);
    status = cli_parse(c, args, &argc, &argv);
    MUST(status == CLI_GO || status == CLI_OK || status == CLI_TROUBLE);
    if (status == CLI_GO)
        check_operands(argv, argc, word, n);
    return status;
}

/* A refused command line has a message before the reference to the help. */
static void check_message(int status, const char *said, size_t len)
{
    if (status == CLI_TROUBLE)
        MUST(len > 1 && said[len - 1] == '\n');
    else
        MUST(len == 0);
    for (size_t i = 0; i < len; i++)
        MUST((unsigned char)said[i] >= ' ' || said[i] == '\n');
}

/* Parses with messages redirected to said, and help discarded. */
static int parse_quietly(const struct cli_command *c, char *const *word, int n,
                         char *args, char **said, size_t *len)
{
    static FILE *nowhere;
    FILE *out = stdout, *err = stderr;
    int status;

    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    stdout = nowhere;
    stderr = open_memstream(said, len);
    MUST(stdout && stderr);
    status = parse(c, word, n, args);
    MUST(fclose(stderr) == 0);
    stdout = out;
    stderr = err;
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char args[ARGS], again[ARGS];
    size_t len = 0, bytes = size ? size - 1 : 0;
    const struct cli_command *c = commands[size ? data[0] % COMMANDS : 0];
    char *text = malloc(bytes + 1), *word[WORDS], *said = NULL;
    int n, status;

    MUST(text);
    memcpy(text, data + size - bytes, bytes);
    text[bytes] = '\0';
    n = split(text, bytes, word);
    status = parse_quietly(c, word, n, args, &said, &len);
    check_message(status, said, len);
    free(said);
    MUST(parse_quietly(c, word, n, again, &said, &len) == status);
    MUST(memcmp(args, again, ARGS) == 0);
    free(said);
    free(text);
    return 0;
}
