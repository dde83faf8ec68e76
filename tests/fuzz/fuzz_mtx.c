/* Any bytes as a mtx file: see fuzz_text.h. */
#include "fuzz_text.h"
#include "tsr_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    return tsr_fuzz_text_codec("mtx", data, nbytes);
}
