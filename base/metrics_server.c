/*
 * metrics_server.c - serves metrics and health over HTTP: --listen
 */
#include "metrics_server.h"

#ifdef FRESHET_HAVE_MICROHTTPD

#    include <inttypes.h>
#    include <microhttpd.h>
#    include <pthread.h>
#    include <stdlib.h>
#    include <string.h>
#    include <unistd.h>

#    include "clock.h"
#    include "library.h"
#    include "listening_socket.h"
#    include "signals.h"

#    define FUNCTIONS(F)                                                       \
        F(MHD_add_response_header)                                             \
        F(MHD_create_response_from_buffer)                                     \
        F(MHD_destroy_response)                                                \
        F(MHD_queue_response)                                                  \
        F(MHD_start_daemon)                                                    \
        F(MHD_stop_daemon)
LIBRARY(mhd, FRESHET_MICROHTTPD, "libmicrohttpd12", FUNCTIONS)

#    define EVERY UINT64_C(1000000000) /* ns between two texts */

/* Limits for clients, so that they cannot take memory or sockets without
   bound. */
enum { CONNECTIONS = 16, SECONDS = 10, CONNECTION_MEMORY = 16384 };

struct metrics_server {
    struct MHD_Daemon *daemon;
    char address[LISTENING_SOCKET_TEXT];
    uint64_t due;
    char *text; /* of the stream that is being written */
    size_t len;

    pthread_mutex_t lock; /* protects what follows */
    struct MHD_Response *metrics;
    uint64_t alive_at; /* 0: the run has not begun */
    struct fault trouble;
};

/* ---- Answers: called by the thread of libmicrohttpd ------------------- */

static struct MHD_Response *make_response(char *text, size_t len,
                                          enum MHD_ResponseMemoryMode mode,
                                          const char *type)
{
    struct MHD_Response *r =
        mhd.MHD_create_response_from_buffer(len, text, mode);

    if (r)
        (void)mhd.MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE,
                                          type);
    return r;
}

/* Answers with a sentence. */
static enum MHD_Result respond(struct MHD_Connection *to, unsigned status,
                               const char *sentence)
{
    char text[sizeof(struct fault) + 2];
    struct MHD_Response *r;
    enum MHD_Result result;

    snprintf(text, sizeof text, "%s\n", sentence);
    r = make_response(text, strlen(text), MHD_RESPMEM_MUST_COPY,
                      "text/plain; charset=utf-8");
    if (!r)
        return MHD_NO;
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        (void)mhd.MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW,
                                          "GET, HEAD");
    result = mhd.MHD_queue_response(to, status, r);
    mhd.MHD_destroy_response(r);
    return result;
}

static enum MHD_Result respond_metrics(struct metrics_server *s,
                                       struct MHD_Connection *to)
{
    enum MHD_Result result = MHD_NO;
    bool begun;

    pthread_mutex_lock(&s->lock);
    begun = s->metrics;
    if (begun)
        result = mhd.MHD_queue_response(to, MHD_HTTP_OK, s->metrics);
    pthread_mutex_unlock(&s->lock);
    return begun ? result
                 : respond(to, MHD_HTTP_SERVICE_UNAVAILABLE,
                           "the run has not begun");
}

static enum MHD_Result respond_health(struct metrics_server *s,
                                      struct MHD_Connection *to)
{
    struct fault why;
    uint64_t alive_at, now;

    pthread_mutex_lock(&s->lock);
    why = s->trouble;
    alive_at = s->alive_at;
    pthread_mutex_unlock(&s->lock);
    now = clock_now();
    if (!alive_at)
        fault_set(&why, "the run has not begun");
    else if (now > alive_at + METRICS_SERVER_SILENCE)
        fault_set(&why,
                  "for %" PRIu64 " s no record was read or waited for: the "
                  "output or a server does not answer",
                  (now - alive_at) / 1000000000);
    return respond(to, why.text[0] ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_OK,
                   why.text[0] ? why.text : "ok");
}

static enum MHD_Result answer(void *context, struct MHD_Connection *to,
                              const char *path, const char *method,
                              const char *version, const char *body,
                              size_t *body_len, void **request)
{
    struct metrics_server *s = context;
    bool is_read = strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
                   strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;

    (void)version, (void)body, (void)body_len;
    if (is_read && !*request) { /* the first call; the next has all headers */
        *request = s;
        return MHD_YES;
    }
    if (strcmp(path, "/metrics") != 0 && strcmp(path, "/healthz") != 0)
        return respond(to, MHD_HTTP_NOT_FOUND,
                       "not found; /metrics and /healthz are served");
    if (!is_read)
        return respond(to, MHD_HTTP_METHOD_NOT_ALLOWED,
                       "method not allowed; use GET or HEAD");
    return path[1] == 'm' ? respond_metrics(s, to) : respond_health(s, to);
}

/* ---- The run's side --------------------------------------------------- */

void metrics_server_alive(struct metrics_server *s, const char *trouble)
{
    uint64_t now = clock_now();

    pthread_mutex_lock(&s->lock);
    s->alive_at = now;
    snprintf(s->trouble.text, sizeof s->trouble.text, "%s",
             trouble ? trouble : "");
    pthread_mutex_unlock(&s->lock);
}

uint64_t metrics_server_due(const struct metrics_server *s)
{
    return s->due;
}

FILE *metrics_server_begin(struct metrics_server *s)
{
    s->due = clock_now() + EVERY;
    return open_memstream(&s->text, &s->len);
}

/* A text that could not be completed is not served. */
void metrics_server_publish(struct metrics_server *s, FILE *out)
{
    bool complete = !ferror(out);
    struct MHD_Response *r = NULL, *former;

    if (fclose(out) == 0 && complete)
        r = make_response(s->text, s->len, MHD_RESPMEM_MUST_FREE,
                          "text/plain; version=0.0.4; charset=utf-8");
    if (!r) {
        free(s->text);
        return;
    }
    pthread_mutex_lock(&s->lock);
    former = s->metrics;
    s->metrics = r;
    pthread_mutex_unlock(&s->lock);
    if (former) /* connections that send it hold it as well */
        mhd.MHD_destroy_response(former);
}

/* ---- Opening and closing ---------------------------------------------- */

/* The socket, or -1, which the process of a checkpoint closes: it must not
   occupy the port after the run was killed. */
static int listening = -1;

static void close_in_child(void)
{
    if (listening >= 0)
        close(listening);
}

static bool start_daemon(struct metrics_server *s, int fd)
{
    /* With ITC, MHD_stop_daemon() does not wait for clients. */
    const unsigned flags =
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC;

    /* Its thread must not take the signals of the run. */
    signals_hold(true);
    s->daemon =
        mhd.MHD_start_daemon(flags, 0, NULL, NULL, answer, s,
                             MHD_OPTION_LISTEN_SOCKET, fd,
                             MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                             MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SECONDS,
                             MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                             (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    signals_hold(false);
    return s->daemon;
}

struct metrics_server *metrics_server_open(const char *address,
                                           struct fault *why)
{
    struct metrics_server *s;
    int fd;

    if (!library_load(&mhd_library, "HTTP", why))
        return NULL;
    fd = listening_socket_open(address, why);
    if (fd < 0)
        return NULL;
    s = calloc(1, sizeof *s);
    if (s)
        pthread_mutex_init(&s->lock, NULL);
    if (!s || !start_daemon(s, fd)) {
        fault_set(why, "'%s': no memory to serve HTTP", address);
        close(fd);
        free(s);
        return NULL;
    }
    listening = fd;
    (void)listening_socket_address(s->address, fd);
    (void)pthread_atfork(NULL, NULL, close_in_child);
    return s;
}

const char *metrics_server_address(const struct metrics_server *s)
{
    return s->address;
}

void metrics_server_close(struct metrics_server *s)
{
    if (!s)
        return;
    mhd.MHD_stop_daemon(s->daemon); /* closes the socket */
    listening = -1;
    if (s->metrics)
        mhd.MHD_destroy_response(s->metrics);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

#else

struct metrics_server *metrics_server_open(const char *address,
                                           struct fault *why)
{
    (void)address;
    fault_set(why, "this freshet was built without libmicrohttpd; install "
                   "libmicrohttpd-dev (Debian) and build it again");
    return NULL;
}

const char *metrics_server_address(const struct metrics_server *s)
{
    (void)s;
    return "";
}

void metrics_server_close(struct metrics_server *s)
{
    (void)s;
}

void metrics_server_alive(struct metrics_server *s, const char *trouble)
{
    (void)s, (void)trouble;
}

uint64_t metrics_server_due(const struct metrics_server *s)
{
    (void)s;
    return UINT64_MAX;
}

FILE *metrics_server_begin(struct metrics_server *s)
{
    (void)s;
    return NULL;
}

void metrics_server_publish(struct metrics_server *s, FILE *out)
{
    (void)s, (void)out;
}

#endif
