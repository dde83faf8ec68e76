/* tsr_costs_of_machine: see tsr_advice.h. */
#include <stdio.h>
#include <string.h>

#include "tsr_advice.h"
#include "tsr_cpu.h"
#include "tsr_machine.h"

/* Costs of families of processors, in the order of costs.def, and of a line while all cores stream. Fitted on: AMD family 26 (Zen
 * 5, two cores of an EPYC). The first row is for all other processors: the same, a fifth slower. */
static const struct {
    const char *vendor, *name;
    int family;
    double ps[TSR_NCOSTS], stream_all_ps;
} families[] = {
    {"",
     "an average processor",
     0,
     {2350, 318, 977, 372, 49, 245, 1783, 37, 1519, 1124, 7543, 648, 4085},
     1423},
    {"AuthenticAMD",
     "AMD EPYC of family 26",
     26,
     {1958, 265, 814, 310, 41, 204, 1486, 31, 1266, 937, 6286, 540, 3404},
     1186},
};

enum { FITTED = 1, NFAMILIES = sizeof families / sizeof *families };

/* The part of the last cache that the system reports which a program can use, since others use it, too. EPYC, family 26, 32 MB: a line
 * of 8 MB at random takes 0.66 ns, one of 16 MB 1.4, one of 32 MB 3.7; streamed, 1.04, 1.77 and 1.83. */
static const double last_part = 0.375;
static const double usual_cache[3] = {32 << 10, 1 << 20, 16 << 20};

static tsr_costs costs_of_family(size_t k)
{
    tsr_costs costs = {.stream_all_ps = families[k].stream_all_ps};
    memcpy(costs.ps, families[k].ps, sizeof costs.ps);
    snprintf(costs.source, sizeof costs.source, "the table for %s", families[k].name);
    for (int c = 0; c < 3; c++) {
        const double nbytes = (double)tsr_cache_nbytes(c + 1);
        costs.cache[c] = (nbytes > 0 ? nbytes : usual_cache[c]) * (c == 2 ? last_part : 1);
    }
    return costs;
}

tsr_costs tsr_costs_fitted(void)
{
    return costs_of_family(FITTED);
}

tsr_costs tsr_costs_of_machine(const tsr_tuning *tuning)
{
    char vendor[16];
    const int family = tsr_cpu_family(vendor);
    size_t k = NFAMILIES - 1;
    while (k > 0 && (families[k].family != family || strcmp(families[k].vendor, vendor) != 0))
        k--;
    tsr_costs costs = costs_of_family(k);
    if (!tuning)
        return costs;
    const uint64_t measured[] = {
#define COST(NAME, name, member, unit, words) tuning->member,
#include "costs.def"
#undef COST
    };
    for (int c = 0; c < TSR_NCOSTS; c++)
        if (measured[c] > 0) {
            costs.ps[c] = (double)measured[c];
            snprintf(costs.source, sizeof costs.source, "the file of tbench calibrate");
        }
    for (int c = 0; c < 3; c++)
        costs.cache[c] = tuning->cache_nbytes[c] > 0 ? (double)tuning->cache_nbytes[c] : costs.cache[c];
    if (tuning->stream_all_ps > 0)
        costs.stream_all_ps = (double)tuning->stream_all_ps;
    return costs;
}
