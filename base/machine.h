/*
 * machine.h - what the machine can still give
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/*
 * Bytes that can be taken without driving others out, as the kernel counts
 * them; UINT64_MAX if it does not say.
 */
uint64_t memory_available(void);

#endif
