/* libtessera-core reads no files: see tsr_input.h. */
#include "tsr_input.h"

static tsr_status fail(const char *path, tsr_error *err)
{
    return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "libtessera-core reads no files: use libtessera");
}

tsr_status tsr_input_open(tsr_input **out, const char *path, size_t block_nbytes,
                          const tsr_observer *observer, tsr_error *err)
{
    (void)block_nbytes, (void)observer;
    *out = NULL;
    return fail(path, err);
}

tsr_status tsr_input_next(tsr_block *block, tsr_input *input, tsr_error *err)
{
    (void)block, (void)input;
    return fail("", err);
}

uint64_t tsr_input_max_text_nbytes(const tsr_input *input)
{
    (void)input;
    return 0;
}

void tsr_input_free(tsr_input *input)
{
    (void)input;
}

tsr_status tsr_input_read(tsr_text *text, const char *path, uint64_t max_nbytes, tsr_error *err)
{
    (void)text, (void)max_nbytes;
    return fail(path, err);
}

void tsr_block_clear(tsr_block *block)
{
    (void)block;
}
