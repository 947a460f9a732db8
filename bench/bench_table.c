/*
 * bench_table.c - the memory that the limit and the filters are measured in
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "bench.h"
#include "machine.h"
#include "size.h"
#include "system.h"

#define PAGE      UINT64_C(4096)
#define HUGE_PAGE (UINT64_C(2) << 20)

bool bench_table_open(struct bench_table *table, uint64_t bytes,
                      struct fault *why)
{
    uint64_t room = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE + HUGE_PAGE;
    void *at = MAP_FAILED;
    char text[SIZE_TEXT];
    uint64_t before;

    errno = ENOMEM;
    /* Checked beforehand: touching more memory than there is gets the process
       killed. */
    if (bytes <= machine_free_memory())
        at = mmap(NULL, room, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        fault_set(why,
                  "cannot allocate %s for a table: %s; use less memory with -m",
                  size_text(text, bytes), strerror(errno));
        return false;
    }
    before = -(uintptr_t)at % HUGE_PAGE;
    if (before)
        munmap(at, before);
    munmap((char *)at + before + room - HUGE_PAGE, HUGE_PAGE - before);
    table->at = (unsigned char *)at + before;
    table->bytes = bytes;
    system_want_huge_pages(table->at, room - HUGE_PAGE);
    memset(table->at, 0, bytes);
    return true;
}

void bench_table_close(struct bench_table *table)
{
    munmap(table->at, (table->bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
}

struct bench_table bench_table_part(const struct bench_table *table, size_t i,
                                    size_t n)
{
    uint64_t bytes = n == 1 ? table->bytes : table->bytes / n / PAGE * PAGE;

    return (struct bench_table){table->at + i * bytes, bytes};
}
