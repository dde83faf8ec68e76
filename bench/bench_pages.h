/* The tables of a command with several passes: those of the last pass are printed. Tables of earlier passes
 * are kept in case the command ends early. */
#ifndef BENCH_PAGES_H
#define BENCH_PAGES_H

#include <stdbool.h>
#include <stdio.h>

#include "tsr_error.h"

typedef struct bench_page {
    char *text;
    size_t nbytes;
} bench_page;

/* {0}: nothing was printed. */
typedef struct bench_pages {
    bool last;         /* this is the last pass: a page is printed as soon as it is complete */
    int n, capacity;   /* number of pages, the maximum of all passes */
    int at;            /* the next page of this pass */
    int nprinted;      /* number of printed pages, which are the first ones */
    bench_page *pages; /* n pages */
    bench_page next;   /* the page being written */
    FILE *to;          /* the stream that writes it */
} bench_pages;

/* Begin a pass. */
void bench_pages_pass(bench_pages *pages, bool last);
/* The stream for the next page; NULL: out of memory. */
FILE *bench_pages_open(bench_pages *pages, tsr_error *err);
/* Finish the page. */
tsr_status bench_pages_close(bench_pages *pages, tsr_error *err) TSR_NODISCARD;
/* Print the pages that were not printed, from the latest pass that has each, and free everything. */
void bench_pages_clear(bench_pages *pages);

#endif
