/* Any bytes as a file of other software: the first byte chooses the codec (from 128 on with repairs, from 192 on with names in
 * place of indices), the others are the file. TSR_FUZZ_CODEC=NAME chooses the codec instead, for a run over one codec. The probe looks
 * at it, it is described, and it is read, of several objects the last one, too. */
#include "tsr_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_brief.h"
#include "tsr_codec.h"
#include "tsr_reader.h"

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

static const char *const names[] = {"npz",    "npy", "h5ad",     "10x",  "mat", "octave", "petsc",
                                    "splatt", "csv", "svmlight", "smtx", "rb",  "zarr",   "rds"};
enum { NNAMES = sizeof names / sizeof *names };

/* All pieces together have as many entries as the whole, before symmetry is expanded, and lie inside the dims. */
static void read_in_pieces(const char *path, const tsr_codec *codec, const tsr_read_options *options,
                           const tsr_data *whole)
{
    tsr_reader *reader;
    tsr_piece piece;
    tsr_error err = {0};
    uint64_t n = 0;
    if (tsr_reader_open(&reader, path, codec, options, &err) != TSR_OK) {
        TSR_FUZZ_MUST(err.message[0] != '\0');
        return; /* a limit of memory, or of what HDF5 reads in parts */
    }
    const tsr_reader_info *const info = tsr_reader_about(reader);
    while (tsr_reader_next(&piece, reader, &err) == TSR_OK && piece.n > 0) {
        for (int m = 0; m < info->order && info->has_dims; m++)
            for (uint64_t e = 0; e < piece.n; e++)
                TSR_FUZZ_MUST(piece.crd[m][e] < info->dims[m]);
        n += piece.n;
    }
    TSR_FUZZ_MUST(err.message[0] != '\0' || !whole->coo || whole->coo->structure != TSR_GENERAL ||
                  n == whole->coo->nnz);
    tsr_reader_free(reader);
}

/* What is read passes its deep check; what is refused says why. */
static tsr_status read_whole(const char *path, const tsr_codec *codec, const tsr_read_options *options)
{
    tsr_data read;
    tsr_error err = {0};
    const tsr_status status = tsr_read(&read, path, codec, options, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (read.tensor != NULL || read.coo != NULL));
    TSR_FUZZ_MUST(status == TSR_OK || err.message[0] != '\0');
    TSR_FUZZ_MUST(!read.tensor || tsr_tensor_check(read.tensor, 1, NULL) == TSR_OK);
    TSR_FUZZ_MUST(!read.coo || tsr_coo_check(read.coo, 1, NULL) == TSR_OK);
    if (status == TSR_OK && options->relabel == TSR_RELABEL_NONE)
        read_in_pieces(path, codec, options, &read);
    tsr_data_clear(&read);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    const tsr_codec *codec;
    if (nbytes == 0)
        return 0;
    const tsr_read_options options = {.nthreads = 1,
                                      .labels = true,
                                      .repair = data[0] >= 128,
                                      .relabel = data[0] >= 192 ? TSR_RELABEL_EACH : TSR_RELABEL_NONE};
    const char *const only = getenv("TSR_FUZZ_CODEC");
    TSR_FUZZ_MUST(tsr_codec_by_name(&codec, only ? only : names[data[0] % NNAMES], NULL) == TSR_OK);
    const char *const path = tsr_fuzz_file(data + 1, nbytes - 1);
    TSR_FUZZ_MUST(!codec->probe || codec->probe(&(tsr_probe){data + 1, nbytes - 1, path}) <= 100);
    const tsr_status status = read_whole(path, codec, &options);
    if (codec->describe) {
        tsr_brief brief;
        tsr_error err = {0};
        const tsr_status described = tsr_describe(&brief, path, codec, &options, &err);
        TSR_FUZZ_MUST(described == TSR_OK || status != TSR_OK || brief.ntensors == 0);
        if (brief.ntensors > 1) { /* the last object by its name */
            char named[512];
            const char *const object = brief.tensors[brief.ntensors - 1].group;
            if (snprintf(named, sizeof named, "%s:%s", path, object) < (int)sizeof named)
                read_whole(named, codec, &options);
        }
        tsr_brief_clear(&brief);
    }
    return 0;
}
