/*
 * page_table.h - writes tables of a report in HTML, which can be sorted by a
 * click
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include <stddef.h>
#include <stdio.h>

/* Begins a table; bit i of numbers says that column i has numbers. */
void page_begin_table(FILE *to, const char *const *title, size_t n,
                      size_t numbers);
void page_end_table(FILE *to);

void page_text_cell(FILE *to, const char *text);
void page_number_cell(FILE *to, double value); /* NaN: empty */
void page_size_cell(FILE *to, double bytes);

/* Writes a difference in percent with its sign. */
void page_off_cell(FILE *to, double value);

#endif
