/*
 * initialised.h - tells the memory sanitizer what another library has written
 *
 * Libraries that are not compiled with the sanitizer write without its notice.
 */
#ifndef INITIALISED_H
#define INITIALISED_H

#ifdef __has_feature
#    if __has_feature(memory_sanitizer)
#        include <sanitizer/msan_interface.h>
#        define INITIALISED(at, len) __msan_unpoison((at), (len))
#    endif
#endif
#ifndef INITIALISED
#    define INITIALISED(at, len) ((void)0)
#endif

#endif
