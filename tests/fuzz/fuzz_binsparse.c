/* Binsparse: bytes that begin as HDF5 does are read as a file in memory, without repairs and with them, others are a descriptor's
 * text. What is read has passed its deep check; what parses prints as text that parses. */
#include "tsr_fuzz.h"

#include <string.h>

#include "binsparse_internal.h"
#include "hdf5_io.h"

/* HDF5 asks for the memory that a damaged file says, copes when it does not get it, and loses a few bytes
 * when it cannot decode what it reads: no faults of ours. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

static void read_image(const uint8_t *data, size_t nbytes, bool repair)
{
    tsr_hdf5 *h5 = NULL;
    tsr_error err = {0};
    tsr_status status = tsr_hdf5_open_image(&h5, data, nbytes, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (h5 != NULL));
    if (status == TSR_OK) {
        const tsr_read_options options = {.nthreads = 1, .repair = repair};
        tsr_data read;
        status = tsr_bsp_read(&read, tsr_hdf5_container(h5), &options, &err);
        TSR_FUZZ_MUST((status == TSR_OK) == (read.tensor != NULL || read.coo != NULL));
        TSR_FUZZ_MUST(!read.tensor || tsr_tensor_check(read.tensor, 1, NULL) == TSR_OK);
        TSR_FUZZ_MUST(!read.coo || tsr_coo_check(read.coo, 1, NULL) == TSR_OK);
        tsr_tensor_free(read.tensor);
        tsr_coo_free(read.coo);
        tsr_hdf5_free(h5);
    }
    TSR_FUZZ_MUST(status == TSR_OK || err.message[0] != '\0');
}

static void parse_text(const char *text, size_t nbytes)
{
    tsr_bsp_descriptor d, again;
    tsr_bsp_origin origin, origin_again;
    tsr_text printed = {0};
    if (tsr_bsp_parse(&d, text, nbytes, NULL) == TSR_OK) {
        TSR_FUZZ_MUST(tsr_bsp_print(&printed, &d, NULL) == TSR_OK);
        TSR_FUZZ_MUST(tsr_bsp_parse(&again, printed.s, printed.nbytes, NULL) == TSR_OK);
        TSR_FUZZ_MUST(memcmp(d.shape, again.shape, sizeof d.shape) == 0 && d.nstored == again.nstored);
        TSR_FUZZ_MUST(memcmp(d.transpose, again.transpose, sizeof d.transpose) == 0);
        TSR_FUZZ_MUST(memcmp(d.kind, again.kind, sizeof d.kind) == 0);
    }
    tsr_text_clear(&printed);
    if (tsr_bsp_parse_origin(&origin, text, nbytes, NULL) == TSR_OK) {
        TSR_FUZZ_MUST(tsr_bsp_print_origin(&printed, &origin, NULL) == TSR_OK);
        TSR_FUZZ_MUST(tsr_bsp_parse_origin(&origin_again, printed.s, printed.nbytes, NULL) == TSR_OK);
        TSR_FUZZ_MUST(strcmp(origin.format, origin_again.format) == 0);
        tsr_bsp_origin_clear(&origin_again);
        tsr_bsp_origin_clear(&origin);
    }
    tsr_text_clear(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    if (nbytes >= 4 && memcmp(data, "\x89HDF", 4) == 0)
        for (int repair = 0; repair < 2; repair++)
            read_image(data, nbytes, repair != 0);
    else
        parse_text((const char *)data, nbytes);
    return 0;
}
