/* What the processor can do. */
#ifndef TSR_CPU_H
#define TSR_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The level of the x86-64 psABI whose instructions processor and system support: 1 (any x86-64), 3 (AVX2,
 * FMA, BMI...) or 4 (AVX-512 F, BW, CD, DQ, VL); 2 counts as 1. 0 on other processors. */
int tsr_cpu_level(void);

#ifdef __cplusplus
}
#endif
#endif
