/* What every fuzz target includes: see tests/fuzz/README.md. */
#ifndef TSR_FUZZ_H
#define TSR_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* What a target defines: one run on any bytes. Returns 0; what must not be ends in abort. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/* Abort, naming the place, unless the condition holds. */
#define TSR_FUZZ_MUST(condition) ((condition) ? (void)0 : tsr_fuzz_abort(__FILE__, __LINE__, #condition))
void tsr_fuzz_abort(const char *file, int line, const char *condition);

/* Where scratch files go: $TMPDIR, else /dev/shm (memory, not disk), else /tmp. */
const char *tsr_fuzz_folder(void);
/* The path of a file that holds these bytes, for what reads only files. It lies in tsr_fuzz_folder(), is
 * written anew by each call and goes away when the process ends normally. */
const char *tsr_fuzz_file(const uint8_t *data, size_t nbytes);

#endif
