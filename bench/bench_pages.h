/* Tables of a run that goes through everything several times: they are printed in the last pass; those of the
 * passes before are kept for a run that ends early. */
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
    bool last;         /* this is the last pass: a page is printed when it is done */
    int n, capacity;   /* pages so far, the most of any pass */
    int at;            /* of this pass: the next to be made */
    int nprinted;      /* they are the first ones */
    bench_page *pages; /* n of them */
    bench_page next;   /* that is being made */
    FILE *to;          /* it goes here */
} bench_pages;

/* A pass begins. */
void bench_pages_pass(bench_pages *pages, bool last);
/* Where the next page is to be written; NULL: out of memory. */
FILE *bench_pages_open(bench_pages *pages, tsr_error *err);
/* It is whole. */
tsr_status bench_pages_close(bench_pages *pages, tsr_error *err) TSR_NODISCARD;
/* Print what was not, as the pass that came last left it, and free all. */
void bench_pages_clear(bench_pages *pages);

#endif
