/*
 * machine.h - the machine that the program runs on
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/* The machine and the compiler that a figure was measured with. */
struct machine {
    char cpu[128], huge_pages[16], compiler[64];
    const char *flags; /* flags of the compiler */
    long cores;
};

void machine_read(struct machine *machine);

/* Returns the bytes of memory of the machine, or 0 if they are unknown. */
uint64_t machine_memory(void);

/*
 * Returns the kernel's estimate of the bytes that can be used without swapping,
 * or UINT64_MAX if there is none.
 */
uint64_t machine_free_memory(void);

/* Returns how many threads of this process can run at the same time. */
unsigned machine_threads(void);

#endif
