/*
 * library.h - shared libraries that are loaded when they are first needed
 *
 * Loading a library takes longer than everything else that the program does
 * with a short input, and most runs need none of them.
 *
 *     #define ZLIB_FUNCTIONS(F) F(inflate) F(inflateEnd)
 *     LIBRARY(zlib, "libz.so.1", "zlib1g", ZLIB_FUNCTIONS)
 *
 * defines zlib, a struct of pointers to these functions, which are NULL until
 * library_load(&zlib_library, "gzip data", &why) returns true.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>

#include "fault.h"

struct library {
    const char *file;         /* its name, as the dynamic linker looks for it */
    const char *package;      /* Debian's name of what contains it */
    const char *const *names; /* of the functions, and NULL at the end */
    void *functions;          /* a struct of pointers to them, in this order */
    bool loaded;
};

/*
 * Loads a library unless it is loaded.  Returns false and a reason, which
 * begins with the purpose, if that is not possible.
 */
bool library_load(struct library *library, const char *purpose,
                  struct fault *why);

/* Some libraries define the names of their functions as macros. */
#define LIBRARY_TEXT(name)    #name
#define LIBRARY_TEXT_OF(name) LIBRARY_TEXT(name)
#define LIBRARY_NAME(name)    LIBRARY_TEXT_OF(name),
#define LIBRARY_POINTER(name) __typeof__(name) *name;

#define LIBRARY(variable, file, package, FUNCTIONS)                            \
    static struct {                                                            \
        FUNCTIONS(LIBRARY_POINTER)                                             \
    } variable;                                                                \
    static const char *const variable##_names[] = {FUNCTIONS(LIBRARY_NAME)     \
                                                       NULL};                  \
    static struct library variable##_library = {file, package,                 \
                                                variable##_names, &variable,   \
                                                false};

#endif
