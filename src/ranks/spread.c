/* Making a tensor over ranks, and its messages: see tsr_spread.h. */
#include "spread_internal.h"
#include "tsr_alloc.h"

/* ---- messages ---- */

tsr_status spread_mail_new(spread_mail *mail, int nranks, tsr_error *err)
{
    const uint64_t n = (uint64_t)nranks;
    TSR_TRY(tsr_alloc_array(&mail->memory, n, 2 * sizeof(uint64_t) + 2 * sizeof(void *), 1,
                            "lengths of messages", err));
    mail->sent = mail->memory;
    mail->got = mail->sent + n;
    mail->from = (const void **)(void *)(mail->got + n);
    mail->to = (void **)(void *)(mail->from + n);
    return TSR_OK;
}

tsr_status spread_mail_exchange(spread_mail *mail, const tsr_ranks *ranks, uint64_t *nbytes, tsr_error *err)
{
    for (int r = 0; r < ranks->n; r++)
        *nbytes += r == ranks->rank ? 0 : mail->sent[r];
    return ranks->exchange(mail->to, mail->got, mail->from, mail->sent, ranks->ctx, err);
}

void spread_mail_clear(spread_mail *mail)
{
    tsr_free(mail->memory);
    *mail = (spread_mail){0};
}

/* ---- the tensor ---- */

tsr_status tsr_spread_read(tsr_spread_tensor **out, tsr_feed *feed, const tsr_ranks *ranks,
                           tsr_grid_kind kind, const tsr_observer *observer, tsr_error *err)
{
    tsr_spread_tensor *const s = tsr_calloc(1, sizeof *s);
    *out = NULL;
    tsr_status status = s ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    s->ranks = ranks;
    s->order = feed->facts.order;
    TSR_TRY_OUT(spread_read(s, feed, kind, observer, err));
    *out = s;
    return TSR_OK;
out:
    tsr_spread_free(s);
    return status;
}

tsr_status tsr_spread_new(tsr_spread_tensor **out, tsr_feed *feed, const tsr_ranks *ranks, tsr_grid_kind kind,
                          const tsr_observer *observer, tsr_error *err)
{
    tsr_status status = tsr_spread_read(out, feed, ranks, kind, observer, err);
    for (int m = 0; status == TSR_OK && m < (*out)->order; m++)
        status = spread_find_rows(*out, m, err);
    if (status != TSR_OK) {
        tsr_spread_free(*out);
        *out = NULL;
    }
    return status;
}

void tsr_spread_free(tsr_spread_tensor *s)
{
    if (!s)
        return;
    spread_parcels_free(s);
    for (int m = 0; m < TSR_MAX_ORDER; m++) {
        tsr_free(s->mode[m].row);
        tsr_free(s->mode[m].lend_at);
        tsr_free(s->mode[m].lend);
        tsr_free(s->mode[m].borrow_at);
        tsr_free(s->mode[m].borrow);
        tsr_free(s->mode[m].borrowed);
    }
    tsr_coo_free(s->coo);
    tsr_grid_clear(&s->grid);
    tsr_free(s);
}
