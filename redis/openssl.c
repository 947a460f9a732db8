/*
 * openssl.c - OpenSSL, loaded when a rediss:// URL asks for it
 */
#ifdef FRESHET_HAVE_OPENSSL

#    include "openssl.h"

#    include <dlfcn.h>
#    include <stdbool.h>
#    include <string.h>

#    define TEXT_OF(value) #    value
#    define TEXT(value)    TEXT_OF(value)
#    define LIBRARY        "libssl.so." TEXT(OPENSSL_SHLIB_VERSION)

/* ISO C knows no conversion from void * to a function's address. */
static bool find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);

    memcpy(pointer, &found, sizeof found);
    return found;
}

const struct openssl *openssl_load(struct fault *why)
{
    static struct openssl functions;
    static void *library;
    bool all = true;

    if (library)
        return &functions;
    library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fault_set(why,
                  "rediss:// needs OpenSSL (Debian's package libssl%d): %s",
                  OPENSSL_SHLIB_VERSION, dlerror());
        return NULL;
    }
#    define FIND(name) all = find(library, #    name, &functions.name) && all;
    OPENSSL_FUNCTIONS(FIND)
#    undef FIND
    if (all)
        return &functions;
    fault_set(why, LIBRARY " lacks functions that rediss:// needs; install "
                           "the OpenSSL that freshet was built with");
    (void)dlclose(library);
    library = NULL;
    return NULL;
}

#endif
