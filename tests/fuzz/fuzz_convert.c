/* Text to any format to HDF5 and back: the first line of the input is a format's text, the rest a
 * MatrixMarket file (it begins with %%MatrixMarket) or a .tns file. What is read is packed into the format,
 * written as HDF5 and read again: the same entries, with the same bits. The number of bytes chooses how
 * duplicates are treated, the widths of indices, and whether the file is compressed. */
#include "tsr_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tsr_codec.h"
#include "tsr_pack.h"

/* HDF5 copes with memory that it does not get, and loses a few bytes then: no faults of ours. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=200";
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

enum { MAX_NBYTES = 1 << 20 };

static const tsr_codec *codec_of(const char *name)
{
    const tsr_codec *codec;
    TSR_FUZZ_MUST(tsr_codec_by_name(&codec, name, NULL) == TSR_OK);
    return codec;
}

static const char *hdf5_path(void)
{
    static char path[600];
    if (!*path)
        snprintf(path, sizeof path, "%s/fuzz_convert_%ld.h5", tsr_fuzz_folder(), (long)getpid());
    return path;
}

/* The entries of a file as coordinates, all of a symmetric one. NULL: they cannot be read. */
static tsr_coo *read_entries(const char *path, const tsr_codec *codec)
{
    const tsr_read_options options = {.nthreads = 1};
    tsr_data data;
    tsr_coo *coo = NULL;
    if (tsr_read(&data, path, codec, &options, NULL) != TSR_OK)
        return NULL;
    if (data.coo) {
        coo = data.coo;
        data.coo = NULL;
    } else {
        TSR_FUZZ_MUST(tsr_tensor_check(data.tensor, 1, NULL) == TSR_OK);
        TSR_FUZZ_MUST(tsr_unpack(&coo, data.tensor, 1, NULL) == TSR_OK);
    }
    tsr_data_clear(&data);
    if (tsr_coo_expand(coo, NULL) == TSR_OK)
        return coo;
    tsr_coo_free(coo); /* a skew value that cannot be negated */
    return NULL;
}

/* Written by the codec as it is, or as it wants it; false: it says why not. *tensor may be replaced. */
static bool write_tensor(const tsr_codec *codec, tsr_tensor **tensor, const tsr_write_options *options)
{
    const char *instead = NULL;
    tsr_error err = {0};
    if (!codec->takes_tensor(*tensor, &instead) && instead) {
        tsr_format *format;
        TSR_FUZZ_MUST(tsr_format_parse(&format, instead, (*tensor)->order, (*tensor)->dims, NULL) == TSR_OK);
        tsr_tensor *const from = *tensor;
        const tsr_pack_options how = {.nthreads = 1,
                                      .duplicates = TSR_DUP_KEEP,
                                      .max_nbytes = MAX_NBYTES,
                                      .index_width = TSR_INDEX_AUTO};
        const tsr_status status = tsr_convert(tensor, from, format, &how, NULL, NULL);
        tsr_format_free(format);
        if (status != TSR_OK)
            return false;
    } else if (instead == NULL && !codec->takes_tensor(*tensor, &instead)) {
        tsr_coo *coo;
        TSR_FUZZ_MUST(tsr_unpack(&coo, *tensor, 1, NULL) == TSR_OK);
        const tsr_status status = codec->write_coo(hdf5_path(), coo, options, NULL, &err);
        tsr_coo_free(coo);
        return status == TSR_OK;
    }
    const tsr_status status = codec->write_tensor(hdf5_path(), *tensor, options, NULL, &err);
    TSR_FUZZ_MUST(status == TSR_OK || err.message[0] != '\0');
    return status == TSR_OK;
}

static void must_come_back(tsr_tensor **tensor, int deflate)
{
    const tsr_codec *const hdf5 = codec_of("binsparse");
    const tsr_write_options options = {.nthreads = 1, .deflate = deflate};
    tsr_coo *want = NULL;
    bool same = false;
    tsr_error err = {0};
    if (!write_tensor(hdf5, tensor, &options)) {
        unlink(hdf5_path());
        return;
    }
    TSR_FUZZ_MUST(tsr_unpack(&want, *tensor, 1, NULL) == TSR_OK);
    tsr_coo *const got = read_entries(hdf5_path(), hdf5);
    unlink(hdf5_path());
    TSR_FUZZ_MUST(got != NULL);
    TSR_FUZZ_MUST(tsr_coo_same(&same, want, got, &err) == TSR_OK);
    if (!same)
        fprintf(stderr, "not the same: %s\n", err.message);
    TSR_FUZZ_MUST(same);
    tsr_coo_free(want);
    tsr_coo_free(got);
}

/* Takes coo. */
static void convert(tsr_coo *coo, const char *format_text, size_t nbytes)
{
    static const tsr_index_width widths[] = {TSR_INDEX_AUTO, TSR_INDEX_NARROW, TSR_INDEX_64};
    tsr_format *format;
    if (tsr_format_parse(&format, format_text, coo->order, coo->dims, NULL) != TSR_OK) {
        tsr_coo_free(coo);
        return;
    }
    const bool keep = tsr_format_keeps_duplicates(format) && nbytes % 2 == 0;
    const tsr_pack_options options = {.nthreads = 1,
                                      .duplicates = keep ? TSR_DUP_KEEP : TSR_DUP_SUM,
                                      .index_width = widths[nbytes % 3],
                                      .max_nbytes = MAX_NBYTES};
    tsr_tensor *tensor = NULL;
    tsr_error err = {0};
    const tsr_status status = tsr_pack(&tensor, coo, format, &options, NULL, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (tensor != NULL));
    TSR_FUZZ_MUST(status == TSR_OK || err.message[0] != '\0');
    if (tensor) {
        TSR_FUZZ_MUST(tsr_tensor_check(tensor, 1, NULL) == TSR_OK);
        must_come_back(&tensor, nbytes % 4 == 3 ? 1 : 0);
    }
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    char format_text[256];
    const uint8_t *const end = nbytes ? memchr(data, '\n', nbytes) : NULL;
    const size_t n = end ? (size_t)(end - data) : 0;
    if (!end || n >= sizeof format_text)
        return 0;
    memcpy(format_text, data, n);
    format_text[n] = '\0';
    const uint8_t *const text = end + 1;
    const size_t text_nbytes = nbytes - n - 1;
    const bool is_mtx = text_nbytes > 14 && memcmp(text, "%%MatrixMarket", 14) == 0;
    tsr_coo *const coo = read_entries(tsr_fuzz_file(text, text_nbytes), codec_of(is_mtx ? "mtx" : "tns"));
    if (coo)
        convert(coo, format_text, nbytes);
    return 0;
}
