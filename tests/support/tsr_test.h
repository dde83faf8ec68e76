/* The header of all unit tests: cmocka and helpers. */
#ifndef TSR_TEST_H
#define TSR_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tsr_error.h"

/* The call succeeds, or the test fails with the error's sentence. */
#define assert_ok(call)                                                                         \
    do {                                                                                        \
        tsr_error assert_err = {0};                                                             \
        tsr_error *const err = &assert_err;                                                     \
        if ((call) != TSR_OK) {                                                                 \
            char assert_buf[1200];                                                              \
            print_error("%s: %s\n", #call, tsr_error_text(assert_buf, sizeof assert_buf, err)); \
            fail();                                                                             \
        }                                                                                       \
    } while (0) /* `call` passes `err` as its last argument */

/* A loop in which the n-th allocation fails, for n = 0, 1, 2... until none fails (with TSR_FAULTS_STEP=K in the environment for every K-th
 * n beyond 16):
 *
 *     tsr_faults faults = {0};
 *     while (tsr_faults_next(&faults)) {
 *         tsr_map *map;
 *         tsr_faults_arm(&faults);
 *         const tsr_status status = tsr_map_parse(&map, text, NULL);
 *         tsr_faults_end(&faults, status);
 *         tsr_map_free(map);
 *     }
 *
 * _next checks that each pass frees what it allocates; in a library without TSR_FAULTS it skips the test. From _arm to _disarm
 * allocations fail. _end is _disarm, and checks the status: TSR_NOMEM if an allocation failed, else TSR_OK. */
typedef struct tsr_faults {
    int64_t n;    /* the allocation that fails; after the loop: how many there are */
    bool failed;  /* set by _disarm: an allocation failed in this pass */
    bool begun;   /* by the first _next, as the following */
    int64_t live; /* the blocks that are allocated between passes */
} tsr_faults;
bool tsr_faults_next(tsr_faults *faults);
void tsr_faults_arm(tsr_faults *faults);
void tsr_faults_disarm(tsr_faults *faults);
void tsr_faults_end(tsr_faults *faults, tsr_status status);

/* The allocation that fails after the n-th one, for loops of their own. */
int64_t tsr_faults_after(int64_t n);

/* Whether case k of many that are alike runs: always, but with TSR_CASES_STEP=K in the environment every K-th case, others each day. Such
 * tests compare all cases with their oracle in the preset dev; sanitizers look at a part of them. */
bool tsr_case_runs(uint64_t k);

/* The folder with known answers (TSR_SHARED, see tests/README.md), or NULL: then skip() the test. */
const char *tsr_test_shared(void);
/* tests/files. */
const char *tsr_test_files(void);
/* The page faults of growing a block of 40 MB, whose pages were written, to 80 MB. grow(NULL, n) allocates, as realloc does. */
int64_t tsr_test_growth_faults(void *(*grow)(void *block, size_t nbytes), void (*release)(void *block));
/* A scratch folder that exists and belongs to this test program. */
const char *tsr_test_tmp(void);
/* "folder/name" in a static ring of 8 buffers. */
const char *tsr_test_path(const char *folder, const char *name);
/* Read a whole file of *n bytes, and append a NUL. The caller frees (free). Fails the test on an error. */
char *tsr_test_slurp(const char *path, size_t *n);
/* Write a whole file (n bytes). */
void tsr_test_spit(const char *path, const void *bytes, size_t n);

/* Fail the test unless the text equals the file tests/golden/NAME. With TSR_UPDATE in the environment the file
 * is written anew first; read the difference before you commit it. */
void tsr_test_golden(const char *name, const char *text);

/* A seeded random generator (splitmix64): the same numbers on every machine. */
typedef struct tsr_rng {
    uint64_t s;
} tsr_rng;
uint64_t tsr_rng_next(tsr_rng *rng);
/* Uniform in [0, n), n > 0. */
uint64_t tsr_rng_below(tsr_rng *rng, uint64_t n);
/* Uniform in [0, 1). */
double tsr_rng_unit(tsr_rng *rng);

#endif
