/* TSR_CLONES before a function: the function is compiled twice, for any processor and for a processor with
 * AVX2 and BMI2, and the dynamic linker chooses one when the program starts. Use it for leaf loops over
 * blocks where a measurement shows a gain (the result is the same: integers only). The macro is empty where
 * the tools do not support this: on other processors, with other C libraries, under sanitizers (the linker
 * chooses before the sanitizer's runtime is ready), and with clang (which up to version 17 gives such a
 * function a name that other files do not find). */
#ifndef TSR_CLONES_H
#define TSR_CLONES_H

#include <limits.h> /* where there is glibc, its macro */

#define TSR_CLONES
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TSR_NO_CLONES
#endif
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&    \
    defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(TSR_NO_CLONES)
#undef TSR_CLONES
#define TSR_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#endif

#endif
