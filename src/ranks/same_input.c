/* Whether all ranks were given the same: see tsr_same_input.h. */
#include "tsr_same_input.h"

#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_codec.h"
#include "tsr_text.h"

uint64_t tsr_ranks_hash(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes, *const end = p + n; p < end; p++)
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return hash;
}

tsr_status tsr_ranks_compare(int *other, uint64_t mine, const tsr_ranks *ranks, tsr_error *err)
{
    void *all;
    *other = 0;
    TSR_TRY(tsr_ranks_gather(&all, &mine, sizeof mine, ranks, "what the ranks were given", err));
    for (int r = ranks->n - 1; r > 0; r--)
        if (((const uint64_t *)all)[r] != ((const uint64_t *)all)[0])
            *other = r;
    tsr_free(all);
    return TSR_OK;
}

/* The hash of all bytes of a file; of a folder, that of its identity, since its files are not read here. */
static tsr_status hash_content(uint64_t *hash, const char *path, const tsr_text *identity, tsr_error *err)
{
    const char *object;
    char block[1 << 16];
    char *const name = tsr_path_split(&object, path);
    FILE *const file = name ? fopen(name, "rb") : NULL;
    *hash = TSR_RANKS_HASH_BEGIN;
    for (size_t n; file && (n = fread(block, 1, sizeof block, file)) > 0;)
        *hash = tsr_ranks_hash(*hash, block, n);
    const bool whole = file && !ferror(file);
    if (file)
        (void)fclose(file);
    tsr_free(name);
    if (!name)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    if (!whole)
        *hash = tsr_ranks_hash(TSR_RANKS_HASH_BEGIN, identity->s, identity->nbytes);
    return TSR_OK;
}

tsr_status tsr_ranks_same_input(const tsr_ranks *ranks, const char *path, tsr_error *err)
{
    tsr_text identity = {0};
    uint64_t hash = 0;
    int other = 0;
    tsr_status status = TSR_OK;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "standard input reaches only one of several ranks: write it to a file first");
    TSR_TRY_OUT(tsr_ranks_agree(ranks, tsr_path_identity(&identity, path, err), err));
    TSR_TRY_OUT(tsr_ranks_compare(&other, tsr_ranks_hash(TSR_RANKS_HASH_BEGIN, identity.s, identity.nbytes),
                                  ranks, err));
    if (other == 0)
        goto out;
    TSR_TRY_OUT(tsr_ranks_agree(ranks, hash_content(&hash, path, &identity, err), err));
    TSR_TRY_OUT(tsr_ranks_compare(&other, hash, ranks, err));
    if (other > 0)
        status = tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                             "rank %d has another file of this name than rank 0", other);
out:
    tsr_text_clear(&identity);
    return status;
}
