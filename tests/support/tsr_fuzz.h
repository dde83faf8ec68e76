/* The header of all fuzz targets: see tests/fuzz/README.md. */
#ifndef TSR_FUZZ_H
#define TSR_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Each target defines this function: one run on any bytes. It returns 0, and aborts if a rule is broken. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/* Abort, naming the place, unless the condition holds. */
#define TSR_FUZZ_MUST(condition) ((condition) ? (void)0 : tsr_fuzz_abort(__FILE__, __LINE__, #condition))
void tsr_fuzz_abort(const char *file, int line, const char *condition);

/* The bytes as a text that ends with a NUL; the caller frees it (free). */
char *tsr_fuzz_text(const uint8_t *data, size_t nbytes);

/* The folder for temporary files: $TMPDIR, else /dev/shm (memory, not disk), else /tmp. */
const char *tsr_fuzz_folder(void);
/* The path of a file with these bytes, for functions that read only files. The file lies in
 * tsr_fuzz_folder(); each call overwrites it, and it is removed when the process ends normally. */
const char *tsr_fuzz_file(const uint8_t *data, size_t nbytes);

#endif
