/* tsr_stream_count: see tsr_stream.h. */
#include "tsr_stream.h"

tsr_status tsr_stream_count(tsr_facts *facts, bool *real_out, tsr_feed *feed, const tsr_observer *observer,
                            tsr_error *err)
{
    *facts = feed->facts;
    if (real_out)
        *real_out = false;
    if (facts->has_dims && facts->has_nnz && !facts->mixed)
        return TSR_OK;
    if (!feed->can_rewind)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the dims of the input are needed first, and it can be read once only: use --dims, "
                        "or write it to "
                        "a file first");
    uint64_t n = 0, max[TSR_MAX_ORDER] = {0};
    bool real = false;
    for (;;) {
        tsr_run run;
        TSR_TRY(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        for (int m = 0; m < facts->order && !facts->has_dims; m++)
            for (uint64_t i = 0; i < run.n; i++)
                max[m] = run.crd[m][i] > max[m] ? run.crd[m][i] : max[m];
        real = real || run.type == TSR_F64;
        n += run.n;
        TSR_TRY(tsr_progress(observer, "read", feed->place, feed->length, err));
    }
    if (!facts->has_dims)
        for (int m = 0; m < facts->order; m++)
            facts->dims[m] = n ? max[m] + 1 : 0;
    if (facts->integers && !real)
        facts->type = TSR_I64;
    if (real_out)
        *real_out = real;
    facts->has_dims = facts->has_nnz = true;
    facts->nnz = n;
    facts->integers = facts->mixed = false;
    return tsr_feed_seek(feed, 0, UINT64_MAX, err);
}
