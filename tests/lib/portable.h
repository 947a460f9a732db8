/*
 * portable.h - included before a source of lib/algo, so that it chooses the
 * kernels in plain C: they run where no others do
 */
#ifndef PORTABLE_H
#define PORTABLE_H

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#undef __x86_64__
#undef __aarch64__

#endif
