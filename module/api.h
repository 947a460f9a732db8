/*
 * api.h - the calls of the server's module interface that we use
 *
 * Our own declarations of version 1 of the interface, which Redis from 7.0 on
 * and Valkey from 8.0 on have in common.  The server hands each call out by
 * its name when the module is loaded; after rm_resolve() they stand in rm.
 */
#ifndef API_H
#define API_H

#include <stddef.h>
#include <stdint.h>

typedef struct rm_ctx rm_ctx;
typedef struct rm_string rm_string;
typedef struct rm_key rm_key;
typedef struct rm_type rm_type;
typedef struct rm_io rm_io;
typedef struct rm_digest rm_digest;
typedef struct rm_defrag rm_defrag;
typedef struct rm_report rm_report;
typedef struct rm_server rm_server;
typedef struct rm_command rm_command;
typedef struct rm_blocked rm_blocked;

enum { RM_OK = 0, RM_ERR = 1, RM_VERSION = 1, RM_POSTPONED = -1 };
enum { RM_READ = 1, RM_WRITE = 2 };
enum { RM_KEY_EMPTY = 0 };
enum { RM_NOTIFY_MODULE = 1 << 13 };
enum { RM_CONFIG_IMMUTABLE = 1 << 0, RM_CONFIG_MEMORY = 1 << 7 };
enum {
    RM_HANDLE_IO_ERRORS = 1 << 0,
    RM_HANDLE_ASYNC_LOAD = 1 << 2,
};
enum { /* bits of GetContextFlags() */
       RM_SCRIPT = 1 << 0,
       RM_TRANSACTION = 1 << 1,
       RM_REPLICA = 1 << 3,
       RM_CLUSTER = 1 << 5,
       RM_OUT_OF_MEMORY = 1 << 10,
       RM_REPLICATED = 1 << 12,
       RM_LOADING = 1 << 13,
       RM_DENY_BLOCKING = 1 << 21,
       RM_RESP3 = 1 << 22,
};

#define RM_WRONG_TYPE                                                          \
    "WRONGTYPE Operation against a key holding the wrong kind of value"

typedef int rm_run(rm_ctx *ctx, rm_string **argv, int argc);

/* What a native type provides; the server knows the rest by the version. */
enum { RM_TYPE_VERSION = 4 };
struct rm_type_methods {
    uint64_t version;
    void *(*rdb_load)(rm_io *rdb, int encoding);
    void (*rdb_save)(rm_io *rdb, void *value);
    void (*aof_rewrite)(rm_io *aof, rm_string *key, void *value);
    size_t (*mem_usage)(const void *value);
    void (*digest)(rm_digest *digest, void *value);
    void (*free)(void *value);
    void (*unused_aux[2])(void);
    int unused_aux_triggers;
    size_t (*free_effort)(rm_string *key, const void *value);
    void (*unused_unlink)(void);
    void *(*copy)(rm_string *from, rm_string *to, const void *value);
    int (*defrag)(rm_defrag *ctx, rm_string *key, void **value);
    void (*unused_later[4])(void);
};

/* What COMMAND INFO and COMMAND DOCS answer; the arity is enforced. */
struct rm_command_version {
    int version;
    size_t history, key_spec, argument; /* sizes of the structs below */
};
struct rm_history {
    const char *since, *change;
};

enum { /* bits of a key's flags; ACLs go by the last two */
       RM_KEY_RO = 1 << 0,
       RM_KEY_RW = 1 << 1,
       RM_KEY_ACCESS = 1 << 4,
       RM_KEY_UPDATE = 1 << 5
};
enum { RM_KEY_BY_INDEX = 2 };
enum { RM_KEY_RANGE = 2 };
struct rm_key_spec {
    const char *notes;
    uint64_t flags;
    int begin; /* RM_KEY_BY_INDEX */
    union {
        struct {
            int position;
        } index;
        struct {
            const char *keyword;
            int start;
        } unused_keyword;
    };
    int find; /* RM_KEY_RANGE */
    union {
        struct {
            int last, step, limit;
        } range;
        struct {
            int index, first, step;
        } unused_count;
    };
};

enum { /* types of arguments */
       RM_ARG_STRING = 0,
       RM_ARG_INTEGER = 1,
       RM_ARG_DOUBLE = 2,
       RM_ARG_KEY = 3,
       RM_ARG_TOKEN = 6,
       RM_ARG_ONE_OF = 7,
       RM_ARG_BLOCK = 8
};
enum { RM_ARG_OPTIONAL = 1 << 0, RM_ARG_MULTIPLE = 1 << 1 };
struct rm_argument {
    const char *name;
    int type;
    int key_spec; /* which one, of a key; else -1 */
    const char *token, *summary, *since;
    int flags;
    const char *unused_deprecated;
    const struct rm_argument *inner; /* of a block or choice */
    const char *unused_display;
};

/* Arrays end with an element of zeroes. */
struct rm_command_info {
    const struct rm_command_version *version;
    const char *summary, *complexity, *since;
    const struct rm_history *history;
    const char *unused_tips;
    int arity;
    const struct rm_key_spec *key_specs;
    const struct rm_argument *arguments;
};

typedef long long rm_get_number(const char *name, void *data);
typedef int rm_set_number(const char *name, long long value, void *data,
                          rm_string **err);
typedef int rm_get_bool(const char *name, void *data);
typedef int rm_set_bool(const char *name, int value, void *data,
                        rm_string **err);
typedef rm_string *rm_get_string(const char *name, void *data);
typedef int rm_set_string(const char *name, rm_string *value, void *data,
                          rm_string **err);
typedef rm_get_bool rm_get_enum;
typedef rm_set_bool rm_set_enum;
typedef void rm_inform(rm_report *report, int for_crash);
typedef void rm_timer(rm_ctx *ctx, void *data);
typedef void rm_free_data(rm_ctx *ctx, void *data);

/* X(what is returned, name, arguments) */
#define RM_CALLS(X)                                                            \
    X(int, IsModuleNameBusy, (const char *))                                   \
    X(void, SetModuleAttribs, (rm_ctx *, const char *, int, int))              \
    X(void, SetModuleOptions, (rm_ctx *, int))                                 \
    X(int, CreateCommand,                                                      \
      (rm_ctx *, const char *, rm_run *, const char *, int, int, int))         \
    X(rm_command *, GetCommand, (rm_ctx *, const char *))                      \
    X(int, SetCommandInfo, (rm_command *, const struct rm_command_info *))     \
    X(rm_type *, CreateDataType,                                               \
      (rm_ctx *, const char *, int, struct rm_type_methods *))                 \
    X(int, RegisterInfoFunc, (rm_ctx *, rm_inform *))                          \
    X(int, RegisterNumericConfig,                                              \
      (rm_ctx *, const char *, long long, unsigned, long long, long long,      \
       rm_get_number *, rm_set_number *, void *, void *))                      \
    X(int, RegisterBoolConfig,                                                 \
      (rm_ctx *, const char *, int, unsigned, rm_get_bool *, rm_set_bool *,    \
       void *, void *))                                                        \
    X(int, RegisterEnumConfig,                                                 \
      (rm_ctx *, const char *, int, unsigned, const char **, const int *, int, \
       rm_get_enum *, rm_set_enum *, void *, void *))                          \
    X(int, RegisterStringConfig,                                               \
      (rm_ctx *, const char *, const char *, unsigned, rm_get_string *,        \
       rm_set_string *, void *, void *))                                       \
    X(int, LoadConfigs, (rm_ctx *))                                            \
    X(void, Log, (rm_ctx *, const char *, const char *, ...))                  \
                                                                               \
    X(void *, Alloc, (size_t))                                                 \
    X(void *, TryAlloc, (size_t))                                              \
    X(void, Free, (void *))                                                    \
                                                                               \
    X(rm_key *, OpenKey, (rm_ctx *, rm_string *, int))                         \
    X(void, CloseKey, (rm_key *))                                              \
    X(int, KeyType, (rm_key *))                                                \
    X(rm_type *, ModuleTypeGetType, (rm_key *))                                \
    X(void *, ModuleTypeGetValue, (rm_key *))                                  \
    X(int, ModuleTypeSetValue, (rm_key *, rm_type *, void *))                  \
                                                                               \
    X(const char *, StringPtrLen, (const rm_string *, size_t *))               \
    X(int, StringToLongLong, (const rm_string *, long long *))                 \
    X(int, StringToDouble, (const rm_string *, double *))                      \
    X(rm_string *, CreateString, (rm_ctx *, const char *, size_t))             \
    X(void, FreeString, (rm_ctx *, rm_string *))                               \
                                                                               \
    X(int, WrongArity, (rm_ctx *))                                             \
    X(int, ReplyWithLongLong, (rm_ctx *, long long))                           \
    X(int, ReplyWithBool, (rm_ctx *, int))                                     \
    X(int, ReplyWithNull, (rm_ctx *))                                          \
    X(int, ReplyWithError, (rm_ctx *, const char *))                           \
    X(int, ReplyWithSimpleString, (rm_ctx *, const char *))                    \
    X(int, ReplyWithCString, (rm_ctx *, const char *))                         \
    X(int, ReplyWithStringBuffer, (rm_ctx *, const char *, size_t))            \
    X(int, ReplyWithArray, (rm_ctx *, long))                                   \
    X(void, ReplySetArrayLength, (rm_ctx *, long))                             \
    X(int, ReplyWithMap, (rm_ctx *, long))                                     \
    X(void, ReplySetMapLength, (rm_ctx *, long))                               \
                                                                               \
    X(int, GetContextFlags, (rm_ctx *))                                        \
    X(int, GetSelectedDb, (rm_ctx *))                                          \
    X(long long, Milliseconds, (void))                                         \
    X(int, Replicate, (rm_ctx *, const char *, const char *, ...))             \
    X(int, ReplicateVerbatim, (rm_ctx *))                                      \
    X(int, NotifyKeyspaceEvent, (rm_ctx *, int, const char *, rm_string *))    \
    X(uint64_t, CreateTimer, (rm_ctx *, long long, rm_timer *, void *))        \
    X(rm_blocked *, BlockClient,                                               \
      (rm_ctx *, rm_run *, rm_run *, rm_free_data *, long long))               \
    X(int, UnblockClient, (rm_blocked *, void *))                              \
    X(int, IsBlockedReplyRequest, (rm_ctx *))                                  \
    X(int, AvoidReplicaTraffic, (void))                                        \
    X(rm_server *, GetServerInfo, (rm_ctx *, const char *))                    \
    X(void, FreeServerInfo, (rm_ctx *, rm_server *))                           \
    X(unsigned long long, ServerInfoGetFieldUnsigned,                          \
      (rm_server *, const char *, int *))                                      \
    X(const char *, ServerInfoGetFieldC, (rm_server *, const char *))          \
                                                                               \
    X(void, SaveUnsigned, (rm_io *, uint64_t))                                 \
    X(uint64_t, LoadUnsigned, (rm_io *))                                       \
    X(void, SaveStringBuffer, (rm_io *, const char *, size_t))                 \
    X(char *, LoadStringBuffer, (rm_io *, size_t *))                           \
    X(int, IsIOError, (rm_io *))                                               \
    X(void, LogIOError, (rm_io *, const char *, const char *, ...))            \
    X(void, EmitAOF, (rm_io *, const char *, const char *, ...))               \
    X(void, DigestAddStringBuffer, (rm_digest *, const char *, size_t))        \
    X(void, DigestEndSequence, (rm_digest *))                                  \
    X(void *, DefragAlloc, (rm_defrag *, void *))                              \
                                                                               \
    X(int, InfoAddSection, (rm_report *, const char *))                        \
    X(int, InfoAddFieldCString, (rm_report *, const char *, const char *))     \
    X(int, InfoAddFieldULongLong,                                              \
      (rm_report *, const char *, unsigned long long))

/* Calls that older servers lack: NULL there. */
#define RM_LATER_CALLS(X)                                                      \
    X(int, AddACLCategory, (rm_ctx *, const char *))                           \
    X(int, SetCommandACLCategories, (rm_command *, const char *))

struct rm_calls {
#define X(type, name, arguments) type(*name) arguments;
    RM_CALLS(X)
    RM_LATER_CALLS(X)
#undef X
};

extern struct rm_calls rm;

/* Fills in rm.  Returns NULL, or the name of a call that the server lacks. */
const char *rm_resolve(rm_ctx *ctx);

#endif
