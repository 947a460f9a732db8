/*
 * library.c - shared libraries that are loaded when they are first needed
 */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* Writes the address of each function.  Returns the name of the first that is
   not there, or NULL. */
static const char *find_functions(const struct library *library, void *handle)
{
    char *to = library->functions;

    for (size_t i = 0; library->names[i]; i++) {
        void *found = dlsym(handle, library->names[i]);

        if (!found)
            return library->names[i];
        /* ISO C has no conversion from void * to a function's address. */
        memcpy(to + i * sizeof found, &found, sizeof found);
    }
    return NULL;
}

static bool load(struct library *library, const char *purpose,
                 struct fault *why)
{
    const char *missing;
    void *handle;

    if (library->loaded)
        return true;
    handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return fault_set(why,
                         "%s needs a library, which Debian's package %s "
                         "contains: %s",
                         purpose, library->package, dlerror());
    missing = find_functions(library, handle);
    if (missing) {
        (void)dlclose(handle);
        return fault_set(why,
                         "%s needs %s with the function %s; install the "
                         "version that freshet was built with (Debian's "
                         "package %s)",
                         purpose, library->file, missing, library->package);
    }
    library->loaded = true;
    return true;
}

bool library_load(struct library *library, const char *purpose,
                  struct fault *why)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    bool loaded;

    pthread_mutex_lock(&one_at_a_time);
    loaded = load(library, purpose, why);
    pthread_mutex_unlock(&one_at_a_time);
    return loaded;
}
