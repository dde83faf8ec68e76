/* Helpers: see kernel_support.h. */
#include "kernel_support.h"

#include "tsr_num.h"

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == ';')
        p++;
    return p;
}

tsr_tensor *kernel_tensor_of(const char *format, tsr_type type, const char *dims_text, const char *text)
{
    uint64_t dims[TSR_MAX_ORDER];
    int order = 0;
    for (const char *p = dims_text; *p; p += *p == ',')
        p = tsr_parse_u64(&dims[order++], p, p + strlen(p));
    uint64_t n = 0;
    for (const char *p = skip_blanks(text); *p; p = skip_blanks(p + strcspn(p, ";")))
        n++;
    tsr_coo *coo;
    tsr_format *packed;
    tsr_tensor *tensor;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, n, err));
    const char *p = skip_blanks(text);
    for (uint64_t e = 0; e < n; e++) {
        for (int m = 0; m < order; m++) {
            uint64_t c;
            p = skip_blanks(tsr_parse_u64(&c, p, p + strlen(p)));
            tsr_array_set(&coo->crd[m], e, c);
        }
        p = tsr_parse_f64((double *)coo->values.data + e, p, p + strlen(p));
        assert_non_null(p);
        p = skip_blanks(p);
    }
    assert_ok(tsr_coo_retype(coo, type, err));
    assert_ok(tsr_format_parse(&packed, format, order, dims, err));
    const tsr_pack_options how = {.duplicates = TSR_DUP_SUM, .index_width = TSR_INDEX_INTEROP};
    assert_ok(tsr_pack(&tensor, coo, packed, &how, NULL, err));
    tsr_format_free(packed);
    return tensor;
}

tsr_tensor *kernel_counting(uint64_t n)
{
    char dims[32];
    snprintf(dims, sizeof dims, "%llu", (unsigned long long)n);
    tsr_tensor *const tensor = kernel_tensor_of("d", TSR_F64, dims, "");
    for (uint64_t i = 0; i < n; i++)
        ((double *)tensor->values.data)[i] = (double)(i + 1);
    return tensor;
}

tsr_kernel_options kernel_options_for(tsr_kernel_engine engine)
{
    static char cache[600];
    snprintf(cache, sizeof cache, "%s/cache", tsr_test_tmp());
    return (tsr_kernel_options){.engine = engine, .cache_dir = cache};
}

const char *kernel_values(const tsr_tensor *tensor)
{
    static _Thread_local char text[2000];
    size_t n = 0;
    text[0] = '\0';
    for (uint64_t i = 0; i < tensor->values.n && n + TSR_VALUE_TEXT_NBYTES + 2 < sizeof text; i++) {
        if (i > 0)
            text[n++] = ' ';
        n += tsr_value_print(text + n, tensor->type,
                             (const unsigned char *)tensor->values.data + i * tensor->values.width);
        text[n] = '\0';
    }
    return text;
}
