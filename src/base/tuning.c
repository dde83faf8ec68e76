/* The text of a tuning: see tsr_tuning.h. */
#include "tsr_tuning.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "tsr_machine.h"
#include "tsr_num.h"

/* The default, and the part of a cache (parts / of) that replaces it where the size of that cache is known, but not more than
 * `limit` unless that is 0; of = 0: the number does not follow from a cache. The cache is the first one or the second one. */
static const struct {
    const char *name;
    size_t offset;
    uint64_t most, usual;
    unsigned parts, of;
    uint64_t limit;
    bool is_first;
    const char *source;
} numbers[] = {
    /* MTTKRP of orders 3 and 4. Xeon with 2 MB: prefetching rows that jump within 384 kB costs 6%, within 512 kB it saves 5%
     * and more. EPYC (Zen 4) with 1 MB: within 384 kB it costs up to 8%. */
    {"prefetch-bytes", offsetof(tsr_tuning, prefetch_nbytes), UINT64_C(1) << 62, 32768, 2, 5, 419430, false,
     "two fifths of the second cache, at most 0.4 MB; measured: rows that jump within this many bytes are "
     "not prefetched"},
    {"prefetch-lines", offsetof(tsr_tuning, prefetch_lines), TSR_MAX_PREFETCH_LINES, 128, 0, 0, 0, false,
     "measured: cache lines that are fetched at the same time"},
    /* MTTKRP of rank 32, EPYC with a first cache of 32 kB, rows of two factors in the second and third: 64 lines take 10 to
     * 18% less than 128, 80 lines 3 to 11%. */
    {"cached-lines", offsetof(tsr_tuning, cached_lines), TSR_MAX_PREFETCH_LINES, 128, 1, 384, 128, true,
     "a sixth of the first cache, at most 128: at most this many lines at the same time if all rows are "
     "in the caches"},
    {"cached-bytes", offsetof(tsr_tuning, cached_nbytes), UINT64_C(1) << 62, 16 << 20, 16, 1, 0, false,
     "16 times the second cache: rows that jump within this many bytes together are in the caches"},
    {"atomic-cost", offsetof(tsr_tuning, atomic_cost), 1000, 4, 0, 0, 0, false,
     "measured: elements of private copies in the time of an atomic addition"},
    {"page-cost", offsetof(tsr_tuning, page_cost), 1000, 8, 0, 0, 0, false,
     "measured: new pages make an element of a copy this many times as slow"},
    /* M_MMAP_THRESHOLD grows to 32 MB and not further */
    {"copies-bytes", offsetof(tsr_tuning, copies_nbytes), UINT64_C(1) << 62, 32 << 20, 0, 0, 0, false,
     "of the C library: the largest memory that it keeps for the next run"},
    {"bucket-bytes", offsetof(tsr_tuning, bucket_nbytes), UINT64_C(1) << 62, 32768 * 24, 2, 5, 0, false,
     "two fifths of the second cache: a bucket of entries of a matrix that is converted"},
    {"sort-bytes", offsetof(tsr_tuning, sort_nbytes), UINT64_C(1) << 62, 4096 * 64, 1, 8, 0, false,
     "an eighth of the second cache: a bucket of entries that are sorted by keys"},
    {"near-bytes", offsetof(tsr_tuning, near_nbytes), UINT64_C(1) << 62, 1 << 20, 1, 2, 0, false,
     "half of the second cache: entries are scattered to this many bytes without buckets"},
    /* for the advisor, which has defaults of its own (src/advise/costs.c) */
    {"stream-ps", offsetof(tsr_tuning, stream_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line of memory that one core streams"},
    {"stream-all-ps", offsetof(tsr_tuning, stream_all_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line of memory while all cores stream"},
    {"entry-ps", offsetof(tsr_tuning, entry_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: an entry of a loop over rows"},
    {"fiber-ps", offsetof(tsr_tuning, fiber_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: the begin of a row"},
    {"vector-ps", offsetof(tsr_tuning, vector_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line of a dense row in the first cache"},
    {"second-ps", offsetof(tsr_tuning, second_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line at random that only the second cache has"},
    {"third-ps", offsetof(tsr_tuning, third_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line at random that only the third cache has"},
    {"memory-ps", offsetof(tsr_tuning, memory_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line at random from memory"},
    {"update-ps", offsetof(tsr_tuning, update_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: an addition to an element at random"},
    {"chain-ps", offsetof(tsr_tuning, chain_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: an addition in memory to what was just added to"},
    {"copy-ps", offsetof(tsr_tuning, copy_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line of a private copy"},
    {"break-ps", offsetof(tsr_tuning, break_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a row that is longer or shorter than the row before"},
    {"near-ps", offsetof(tsr_tuning, near_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a line that one core streams from the last cache"},
    {"product-ps", offsetof(tsr_tuning, product_ps), 1000000, 0, 0, 0, 0, false,
     "measured, picoseconds: a pair of entries of two sparse tensors that meet"},
    {"first-bytes", offsetof(tsr_tuning, cache_nbytes[0]), UINT64_C(1) << 62, 0, 0, 0, 0, false,
     "the first cache, instead of what the system reports"},
    {"second-bytes", offsetof(tsr_tuning, cache_nbytes[1]), UINT64_C(1) << 62, 0, 0, 0, 0, false,
     "the second cache, instead of what the system reports"},
    {"third-bytes", offsetof(tsr_tuning, cache_nbytes[2]), UINT64_C(1) << 62, 0, 0, 0, 0, false,
     "the third cache, instead of what the system reports"},
};

enum { NNUMBERS = sizeof numbers / sizeof *numbers };

static uint64_t get(const tsr_tuning *tuning, int k)
{
    uint64_t value;
    memcpy(&value, (const char *)tuning + numbers[k].offset, sizeof value);
    return value;
}

static void set(tsr_tuning *tuning, int k, uint64_t value)
{
    memcpy((char *)tuning + numbers[k].offset, &value, sizeof value);
}

tsr_tuning tsr_tuning_complete(const tsr_tuning *tuning)
{
    tsr_tuning complete = tuning ? *tuning : (tsr_tuning){0};
    for (int k = 0; k < NNUMBERS; k++)
        if (get(&complete, k) == 0)
            set(&complete, k, numbers[k].usual);
    return complete;
}

tsr_tuning tsr_tuning_of_caches(uint64_t first_nbytes, uint64_t second_nbytes)
{
    tsr_tuning tuning = tsr_tuning_complete(NULL);
    for (int k = 0; k < NNUMBERS; k++) {
        const uint64_t nbytes = numbers[k].is_first ? first_nbytes : second_nbytes;
        uint64_t part = numbers[k].of > 0 ? nbytes / numbers[k].of * numbers[k].parts : 0;
        if (numbers[k].limit > 0 && part > numbers[k].limit)
            part = numbers[k].limit;
        if (part > 0)
            set(&tuning, k, part < numbers[k].most ? part : numbers[k].most);
    }
    return tuning;
}

tsr_tuning tsr_tuning_of_machine(void)
{
    return tsr_tuning_of_caches(tsr_cache_nbytes(1), tsr_cache_nbytes(2));
}

void tsr_tuning_print(tsr_text *text, const tsr_tuning *tuning)
{
    const tsr_tuning complete = tsr_tuning_complete(tuning);
    tsr_text_add(text, "# what kernels assume of this machine, from tbench calibrate\n");
    for (int k = 0; k < NNUMBERS; k++)
        if (get(&complete, k) > 0)
            tsr_text_addf(text, "# %s\n%s: %" PRIu64 "\n", numbers[k].source, numbers[k].name,
                          get(&complete, k));
}

/* Read one line of n characters. */
static tsr_status parse_line(tsr_tuning *out, const char *line, size_t n, tsr_error *err)
{
    for (int k = 0; k < NNUMBERS; k++) {
        const size_t length = strlen(numbers[k].name);
        uint64_t value;
        if (n < length + 2 || memcmp(line, numbers[k].name, length) != 0 || line[length] != ':')
            continue;
        const char *from = line + length + 1;
        from += *from == ' ';
        if (tsr_parse_u64(&value, from, line + n) != line + n || value == 0 || value > numbers[k].most)
            return tsr_fail(err, TSR_SYNTAX, "%s must be a whole number from 1 to %" PRIu64, numbers[k].name,
                            numbers[k].most);
        set(out, k, value);
        return TSR_OK;
    }
    return tsr_fail(err, TSR_SYNTAX, "expected a line such as 'prefetch-lines: 128', found '%.*s'",
                    n > 60 ? 60 : (int)n, line);
}

tsr_status tsr_tuning_parse(tsr_tuning *out, const char *text, tsr_error *err)
{
    uint64_t number = 1;
    *out = (tsr_tuning){0};
    for (const char *line = text; *line; number++) {
        const char *const newline = strchr(line, '\n'), *const end = newline ? newline : line + strlen(line);
        if (end > line && *line != '#') {
            const tsr_status status = parse_line(out, line, (size_t)(end - line), err);
            if (status != TSR_OK) {
                if (err)
                    err->line = number;
                *out = (tsr_tuning){0};
                return status;
            }
        }
        line = newline ? newline + 1 : end;
    }
    return TSR_OK;
}
