/* Format texts: whatever parses prints, in each form, as text that parses back to an equal format, and binds
 * to sizes or is refused. The first byte chooses: byte % 8 - 1 modes (-1: unknown), and row byte / 8 % 4 of
 * the sizes. */
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_format.h"

static void parses_back(const tsr_format *format, void (*print)(tsr_text *, const tsr_format *))
{
    tsr_text text = {0};
    tsr_format *back = NULL;
    print(&text, format);
    TSR_FUZZ_MUST(tsr_text_status(&text, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_format_parse(&back, tsr_text_cstr(&text), format->order, NULL, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_format_equal(format, back));
    tsr_format_free(back);
    tsr_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    static const uint64_t sizes[4][16] = {
        {7, 5, 3, 2, 9, 4, 8, 6, 7, 5, 3, 2, 9, 4, 8, 6},
        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
        {7, 0, 3, 0, 9, 4, 8, 6, 7, 5, 3, 2, 9, 4, 8, 6},
        {INT64_MAX, UINT64_C(1) << 62, UINT64_C(1) << 32, 3, INT64_MAX, 2},
    };
    if (nbytes == 0)
        return 0;
    const int order = data[0] % 8 - 1;
    const uint64_t *dims = sizes[data[0] / 8 % 4];
    char *text = malloc(nbytes);
    TSR_FUZZ_MUST(text != NULL);
    memcpy(text, data + 1, nbytes - 1);
    text[nbytes - 1] = '\0';
    tsr_format *format = NULL;
    tsr_error err = {0};
    const tsr_status status = tsr_format_parse(&format, text, order, order < 0 ? NULL : dims, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (format != NULL));
    if (status == TSR_OK) {
        parses_back(format, tsr_format_print);
        parses_back(format, tsr_format_print_long);
        parses_back(format, tsr_format_print_name);
        tsr_binding *binding = NULL;
        const tsr_status bound = tsr_binding_new(&binding, format, dims, &err);
        TSR_FUZZ_MUST(order < 0 || bound == TSR_OK);
        tsr_binding_free(binding);
    } else
        TSR_FUZZ_MUST(err.status == status && err.message[0] != '\0' && err.col <= nbytes);
    tsr_format_free(format);
    free(text);
    return 0;
}
