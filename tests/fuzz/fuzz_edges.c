/* Any bytes as the edges of a graph: see fuzz_text.h. */
#include "fuzz_text.h"
#include "tsr_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    return tsr_fuzz_text_codec("edges", data, nbytes);
}
