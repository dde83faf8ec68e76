/* Inputs in guarded memory: each is a copy in read-only pages that ends where a page without
 * access begins, and begins behind such a page. A function that writes into an input, frees it,
 * or reads behind its end is ended by the system, and the case that ran is printed. Pages of all
 * inputs of a set can be taken away while results are looked at. */
#ifndef DOOR_GUARDED_H
#define DOOR_GUARDED_H

#include "door_test.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GUARD_SIGNALS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GUARD_SIGNALS 0
#endif
#endif
#ifndef GUARD_SIGNALS
#define GUARD_SIGNALS 1 /* the sanitizers print more than the name of the case */
#endif

enum { GUARD_MAX = 96 };

typedef struct guarded {
    unsigned char *map; /* nbytes of pages between the two that guard them */
    size_t nbytes;
    unsigned char *data; /* n bytes, the last ones of the pages */
    size_t n;
    uint64_t sum;
} guarded;

typedef struct guards {
    int n;
    guarded of[GUARD_MAX];
} guards;

/* What the test does just now. */
static char guard_case[256] = "nothing";

static inline void guard_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(guard_case, sizeof guard_case, format, args);
    va_end(args);
}

static inline void guard_signal(int number)
{
    static const char head[] = "an input was written, freed, or read behind its end: ";
    signal(number, SIG_DFL);
    if (write(2, head, sizeof head - 1) < 0 || write(2, guard_case, strlen(guard_case)) < 0 ||
        write(2, "\n", 1) < 0)
        _exit(1);
}

/* cmocka sets handlers of its own before each test. */
static inline void guard_handle_signals(void)
{
    if (GUARD_SIGNALS) {
        signal(SIGSEGV, guard_signal);
        signal(SIGBUS, guard_signal);
        signal(SIGABRT, guard_signal);
    }
}

static inline uint64_t guard_sum(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t sum = n, word;
    for (; n >= sizeof word; p += sizeof word, n -= sizeof word) {
        memcpy(&word, p, sizeof word);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 32;
    }
    for (; n > 0; p++, n--)
        sum = (sum ^ *p) * 0x9E3779B97F4A7C15u;
    return sum;
}

/* A copy of n bytes. NULL stays NULL. */
static inline void *guard(guards *set, const void *bytes, size_t n)
{
    if (!bytes)
        return NULL;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), nbytes = (n + page - 1) / page * page;
    unsigned char *const all = mmap(NULL, nbytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED && set->n < GUARD_MAX);
    guarded *const g = &set->of[set->n++];
    *g = (guarded){.map = all + page, .nbytes = nbytes, .data = all + page + nbytes - n, .n = n};
    if (nbytes > 0)
        assert_int_equal(mprotect(g->map, nbytes, PROT_READ | PROT_WRITE), 0);
    memcpy(g->data, bytes, n);
    g->sum = guard_sum(g->data, n);
    if (nbytes > 0)
        assert_int_equal(mprotect(g->map, nbytes, PROT_READ), 0);
    return g->data;
}

static inline const char *guard_text(guards *set, const char *text)
{
    return text ? guard(set, text, strlen(text) + 1) : NULL;
}

/* Every input is as it was. */
static inline void guard_check(const guards *set)
{
    for (int i = 0; i < set->n; i++)
        if (guard_sum(set->of[i].data, set->of[i].n) != set->of[i].sum)
            fail_msg("input %d of %zu bytes changed: %s", i, set->of[i].n, guard_case);
}

/* Take the inputs away: nobody can read them; or give them back. */
static inline void guard_away(const guards *set, bool away)
{
    for (int i = 0; i < set->n; i++)
        if (set->of[i].nbytes > 0)
            assert_int_equal(mprotect(set->of[i].map, set->of[i].nbytes, away ? PROT_NONE : PROT_READ), 0);
}

static inline void guard_clear(guards *set)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    guard_check(set);
    for (int i = 0; i < set->n; i++)
        assert_int_equal(munmap(set->of[i].map - page, set->of[i].nbytes + 2 * page), 0);
    set->n = 0;
}

/* The input in which an address lies, or NULL. */
static inline guarded *guard_find(guards *set, const void *address)
{
    const unsigned char *const at = address;
    for (int i = 0; i < set->n; i++)
        if (at >= set->of[i].map && at < set->of[i].map + set->of[i].nbytes)
            return &set->of[i];
    return NULL;
}

/* A tensor whose arrays are guarded copies of those of `tensor`, in `set`; NULL if this format
 * cannot be borrowed. */
static inline tessera_tensor *guard_tensor(guards *set, const tessera_tensor *tensor)
{
    enum { MAX_ARRAYS = 80 };
    tessera_array arrays[MAX_ARRAYS];
    tessera_level levels[TESSERA_MAX_LEVELS];
    const int narrays = tessera_tensor_narrays(tensor), order = tessera_tensor_order(tensor);
    assert_true(narrays <= MAX_ARRAYS);
    for (int i = 0; i < narrays; i++) {
        door_ok(tessera_tensor_array(&arrays[i], tensor, i, ctx));
        arrays[i].data = guard(set, arrays[i].data ? arrays[i].data : "",
                               arrays[i].n * tessera_type_nbytes(arrays[i].type));
    }
    for (int l = 0; l < tessera_tensor_nlevels(tensor); l++) {
        levels[l].size = sizeof *levels;
        door_ok(tessera_tensor_level(&levels[l], tensor, l, ctx));
    }
    const size_t width = tessera_type_nbytes(tessera_tensor_type(tensor));
    const tessera_parts parts = {
        .size = sizeof parts,
        .format = guard_text(set, tessera_tensor_format(tensor)),
        .order = order,
        .dims = guard(set, tessera_tensor_dims(tensor), (size_t)order * sizeof(uint64_t)),
        .arrays = guard(set, arrays, (size_t)narrays * sizeof *arrays),
        .narrays = narrays,
        .structure = tessera_tensor_structure(tensor),
        .is_iso = tessera_tensor_is_iso(tensor),
        .fill = guard(set, tessera_tensor_fill(tensor), width),
        .levels = guard(set, levels, (size_t)tessera_tensor_nlevels(tensor) * sizeof *levels),
    };
    tessera_tensor *out = NULL;
    if (tessera_borrow(&out, guard(set, &parts, sizeof parts), ctx) != TESSERA_OK)
        fail_msg("%s: %s", guard_case, tessera_context_text(ctx));
    return out;
}

/* A number of all arrays, dims and facts of a tensor. */
static inline uint64_t guard_tensor_sum(const tessera_tensor *tensor)
{
    uint64_t sum =
        guard_sum(tessera_tensor_dims(tensor), (size_t)tessera_tensor_order(tensor) * sizeof(uint64_t));
    tessera_array array;
    sum += guard_sum(tessera_tensor_format(tensor), strlen(tessera_tensor_format(tensor)));
    if (tessera_tensor_fill(tensor))
        sum += guard_sum(tessera_tensor_fill(tensor), tessera_type_nbytes(tessera_tensor_type(tensor)));
    for (int i = 0; i < tessera_tensor_narrays(tensor); i++) {
        door_ok(tessera_tensor_array(&array, tensor, i, ctx));
        if (array.data)
            sum = sum * 31 + guard_sum(array.data, array.n * tessera_type_nbytes(array.type));
    }
    return sum;
}

/* Whether a result has no array in the memory of the inputs, which it would share with the
 * caller. */
static inline bool guard_tensor_is_apart(guards *set, const tessera_tensor *result)
{
    tessera_array array;
    for (int i = 0; i < tessera_tensor_narrays(result); i++) {
        door_ok(tessera_tensor_array(&array, result, i, ctx));
        if (array.data && guard_find(set, array.data))
            return false;
    }
    return true;
}

/* The result stays as it is while the inputs are away. */
static inline void guard_result(guards *set, const tessera_tensor *result)
{
    const uint64_t sum = guard_tensor_sum(result);
    if (!guard_tensor_is_apart(set, result))
        fail_msg("an array of the result lies in an input: %s", guard_case);
    guard_away(set, true);
    if (guard_tensor_sum(result) != sum)
        fail_msg("the result changed: %s", guard_case);
    guard_away(set, false);
}

#endif
