/* The instructions that the processor has. */
#ifndef TSR_CPU_H
#define TSR_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The level of the x86-64 psABI whose instructions both the processor and the system support: 1 (any x86-64),
 * 3 (AVX2, FMA, BMI...) or 4 (AVX-512 F, BW, CD, DQ, VL); level 2 is reported as 1. 0 on processors that are
 * not x86-64. */
int tsr_cpu_level(void);

/* The family of the processor as its vendor counts (AMD Zen 5 is 26), and the vendor's name of 12 characters ("AuthenticAMD").
 * 0 and "" on processors that are not x86-64. */
int tsr_cpu_family(char vendor[16]);

#ifdef __cplusplus
}
#endif
#endif
