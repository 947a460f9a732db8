/*
 * stats.c - what a run did so far, on stderr
 */
#include "stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "json.h"
#include "size.h"

uint64_t stats_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Counters and a name for each, in the order in which they are shown. */
enum {
    RECORDS,
    NEW,
    REPEATS,
    PASSED,
    DROPPED,
    READ,
    WRITTEN,
    MALFORMED,
    COUNTERS
};
static const char *const names[COUNTERS] =
    {[RECORDS] = "records",       [NEW] = "new",
     [REPEATS] = "repeats",       [PASSED] = "passed",
     [DROPPED] = "dropped",       [READ] = "bytes_read",
     [WRITTEN] = "bytes_written", [MALFORMED] = "malformed"};

static void collect(uint64_t count[COUNTERS], const struct pipeline *p)
{
    const struct counts *c = &p->counts;

    count[NEW] = c->fresh;
    count[REPEATS] = c->repeats;
    count[PASSED] = c->passed;
    count[DROPPED] = c->dropped;
    count[RECORDS] = c->fresh + c->repeats + c->passed + c->dropped;
    count[READ] = c->bytes;
    count[WRITTEN] = p->out.written;
    count[MALFORMED] = c->malformed; /* of passed or dropped */
}

static void print_text(const uint64_t count[COUNTERS], const freshet_info *info,
                       double seconds)
{
    char size[SIZE_TEXT];

    for (size_t i = 0; i < COUNTERS; i++)
        fprintf(stderr, "%-14s %20" PRIu64 "\n", names[i], count[i]);
    fprintf(stderr, "%-14s %20.3f\n", "seconds", seconds);
    fprintf(stderr, "%-14s %20s\n", "algorithm", info->algorithm);
    fprintf(stderr, "%-14s %20s\n", "memory", size_text(size, info->memory));
    if (!isnan(info->false_drop))
        fprintf(stderr, "%-14s %20.2g  of new records, from here on\n",
                "false_drop", info->false_drop);
    if (info->forgotten != FRESHET_UNKNOWN)
        fprintf(stderr, "%-14s %20" PRIu64 "  keys, for want of memory\n",
                "forgotten", info->forgotten);
}

static void print_rate(const char *name, const struct audit_rate *r,
                       const char *of)
{
    if (r->n == 0)
        fprintf(stderr, "%-14s %20s  no %s in the sample\n", name, "-", of);
    else
        fprintf(stderr,
                "%-14s %20.3g  %.2g to %.2g with 95 %%: %" PRIu64 " of %" PRIu64
                " %s\n",
                name, r->rate, r->low, r->high, r->wrong, r->n, of);
}

static void print_audit(const struct audit_report *a)
{
    print_rate("audit_drop", &a->false_drop, "new records");
    print_rate("audit_pass", &a->false_pass, "repeats");
    fprintf(stderr, "%-14s %20" PRIu64 "  keys, %.3g of all\n", "audit_sample",
            a->keys, a->share);
}

static void json_rate(struct json *j, const char *name,
                      const struct audit_rate *r)
{
    json_begin(j, name, '{');
    json_count(j, "wrong", r->wrong);
    json_count(j, "of", r->n);
    json_real(j, "rate", r->rate);
    json_real(j, "low95", r->low);
    json_real(j, "high95", r->high);
    json_end(j, '}');
}

static void json_audit(struct json *j, const struct audit_report *a)
{
    json_begin(j, "audit", '{');
    json_rate(j, "false_drop", &a->false_drop);
    json_rate(j, "false_pass", &a->false_pass);
    json_count(j, "either", a->either);
    json_count(j, "keys", a->keys);
    json_real(j, "share", a->share);
    json_end(j, '}');
}

static void print_json(const uint64_t count[COUNTERS], const freshet_info *info,
                       double seconds, const struct audit_report *audit)
{
    struct json j = {.to = stderr};

    json_begin(&j, NULL, '{');
    for (size_t i = 0; i < COUNTERS; i++)
        json_count(&j, names[i], count[i]);
    json_real(&j, "seconds", seconds);
    json_text(&j, "algorithm", info->algorithm);
    json_text(&j, "params", info->params);
    json_count(&j, "memory", info->memory);
    json_real(&j, "wanted", info->wanted);
    json_real(&j, "false_drop", info->false_drop);
    if (info->forgotten != FRESHET_UNKNOWN)
        json_count(&j, "forgotten", info->forgotten);
    json_bool(&j, "over_plan", info->over_plan);
    if (audit)
        json_audit(&j, audit);
    json_end(&j, '}');
    putc('\n', stderr);
}

void stats_print(const struct pipeline *p, int how, uint64_t started)
{
    freshet_info info = {.size = sizeof info};
    double seconds = (double)(stats_clock() - started) / 1e9;
    uint64_t count[COUNTERS];
    struct audit_report report, *audit = p->audit ? &report : NULL;

    if (audit)
        audit_get_report(p->audit, audit);
    freshet_get_info(p->filter, &info);
    collect(count, p);
    if (how == STATS_JSON)
        print_json(count, &info, seconds, audit);
    else
        print_text(count, &info, seconds);
    if (audit && how != STATS_JSON)
        print_audit(audit);
}
