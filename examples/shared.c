/*
 * shared.c - eight threads of a server share one filter
 *
 * A request's key belongs to one of 64 parts of the filter, and a thread locks
 * only that part: threads hardly ever wait for each other.
 */
#include <freshet.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, REQUESTS = 100000, PARTS = 64 };

static freshet *filter;
static freshet_parts *parts;
static pthread_mutex_t lock[PARTS];

/* Is this the first time that a request comes? */
static int is_new(uint64_t request)
{
    freshet_hash key = freshet_hash_key(filter, &request, sizeof request);
    unsigned part = freshet_part_of(parts, key);
    uint8_t seen;

    pthread_mutex_lock(&lock[part]);
    freshet_offer_part(parts, part, &key, NULL, 1, &seen);
    pthread_mutex_unlock(&lock[part]);
    return seen == FRESHET_NEW;
}

/* Half of a thread's requests also come to the next thread. */
static void *serve(void *thread)
{
    for (uint64_t i = 0; i < REQUESTS; i++)
        is_new((uintptr_t)thread * REQUESTS / 2 + i);
    return NULL;
}

int main(void)
{
    freshet_options options = {.size = sizeof options, .memory = 64 << 20};
    freshet_info info = {.size = sizeof info};
    pthread_t thread[THREADS];

    if (freshet_create(&filter, &options, NULL) < 0 ||
        freshet_split(&parts, filter, PARTS, NULL) < 0)
        return 1;
    for (int i = 0; i < PARTS; i++)
        pthread_mutex_init(&lock[i], NULL);
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, serve, (void *)i) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    freshet_parts_free(parts); /* the counters are added up */
    freshet_get_info(filter, &info);
    printf("%" PRIu64 " requests, %" PRIu64 " new\n", info.offered, info.fresh);
    freshet_free(filter);
}
