/* The instructions that the processor has: see tsr_cpu.h. */
#include "tsr_cpu.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

/* The instructions of level 3 whose names __builtin_cpu_supports does not know in all compilers. */
static bool has_small_bits(void)
{
    unsigned a, b, c, d;
    const unsigned f16c_movbe = 1u << 29 | 1u << 22, lzcnt = 1u << 5;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & f16c_movbe) == f16c_movbe &&
           __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & lzcnt);
}

int tsr_cpu_level(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !has_small_bits())
        return 1;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl")
               ? 4
               : 3;
}

int tsr_cpu_family(char vendor[16])
{
    unsigned a, b = 0, c = 0, d = 0;
    memset(vendor, 0, 16);
    if (!__get_cpuid(0, &a, &b, &c, &d))
        return 0;
    memcpy(vendor, &b, sizeof b);
    memcpy(vendor + 4, &d, sizeof d);
    memcpy(vendor + 8, &c, sizeof c);
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    const int family = (int)(a >> 8 & 15);
    return family < 15 ? family : family + (int)(a >> 20 & 255);
}
#else
int tsr_cpu_level(void)
{
    return 0;
}

int tsr_cpu_family(char vendor[16])
{
    memset(vendor, 0, 16);
    return 0;
}
#endif
