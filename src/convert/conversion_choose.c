/* What a conversion packs its entries into, and whether they stay as they are. It is decided here for tensors in memory and for entries
 * that come in parts, so that both give the same file. */
#include <string.h>

#include "conversion_internal.h"
#include "tsr_files.h"

typedef tsr_conversion_settings settings;
typedef tsr_conversion job;
typedef tsr_conversion_known known;

/* Parse a format text: of entries in parts without dims where that is possible, since they may take a pass over the entries. A failure
 * is remembered as being inside that text where the user gave it. */
static tsr_status parse_format(tsr_format **out, job *j, const known *k, const char *text, tsr_error *err)
{
    tsr_error ignored;
    tsr_facts final;
    tsr_shape shape = {k->order, k->dims};
    tsr_type type = k->type;
    *out = NULL;
    if (k->feed) {
        if (tsr_format_parse_sized(out, &j->index_nbits, text, (tsr_shape){k->order, NULL}, type, &ignored) ==
                TSR_OK &&
            *out)
            return TSR_OK;
        TSR_TRY(tsr_stream_count(&final, NULL, k->feed, j->s->read.observer, err));
        shape = (tsr_shape){final.order, final.dims};
        type = final.type;
    }
    const tsr_status status = tsr_format_parse_sized(out, &j->index_nbits, text, shape, type, err);
    if (status != TSR_OK && (j->s->format || j->s->choose))
        j->wrong = (tsr_transform_place){"format", text};
    return status;
}

/* Ask for the storage format, now that the entries are known. */
static tsr_status choose_asked(tsr_format **out, job *j, const known *k, tsr_error *err)
{
    tsr_text text = {0};
    const uint64_t start = tsr_now_ns();
    tsr_status status = j->s->choose(&text, &j->data, j->s->choose_ctx, err);
    j->choose_s = tsr_conversion_seconds(start);
    if (status == TSR_OK)
        status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = parse_format(out, j, k, tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    return status;
}

static bool has_format(const tsr_tensor *tensor, const char *text)
{
    tsr_format *format = NULL;
    const bool same = text && tsr_format_parse(&format, text, tensor->order, tensor->dims, NULL) == TSR_OK &&
                      tsr_format_equal(format, tensor->format);
    tsr_format_free(format);
    return same;
}

/* Whether a permuted tensor stays as it is instead of getting the format `own` again, which it had before: if the file
 * can hold only the permuted format, or is usually written in it. So h5ad to 10x and back move no array. (Of files that are
 * written in parts the codec names the usual format, since they must be the same with --memory.) */
static bool stays_permuted(const tsr_codec *to, const tsr_tensor *now, const tsr_format *own)
{
    tsr_tensor before = *now;
    const char *instead = NULL;
    before.format = (tsr_format *)(uintptr_t)own;
    if (!to->takes_tensor || !to->takes_tensor(now, &instead))
        return false;
    if (!to->takes_tensor(&before, &instead))
        return true;
    return has_format(now, to->write_parts ? to->usual : instead);
}

/* Whether packed arrays are to be made anew. */
static bool repacks(const settings *s)
{
    return s->index_given || s->index_same || s->duplicates_given;
}

/* The format of --format, and none where the tensor has it. */
static tsr_status choose_given(tsr_format **out, job *j, const known *k, tsr_error *err)
{
    const settings *const s = j->s;
    j->dry.why = s->choose ? "by the advice of --format=auto" : "by --format";
    TSR_TRY(s->choose ? choose_asked(out, j, k, err) : parse_format(out, j, k, s->format, err));
    if (k->packed && !repacks(s) && j->index_nbits == 0 && tsr_format_equal(*out, k->packed->format)) {
        tsr_format_free(*out);
        *out = NULL;
    }
    return TSR_OK;
}

/* The format of a packed input, or of one whose entries were packed before they changed. */
static tsr_status choose_own(tsr_format **out, job *j, const known *k, tsr_error *err)
{
    const bool repack = repacks(j->s);
    j->dry.why = "the format of the input";
    if (k->packed && (!k->own || tsr_format_equal(k->own, k->packed->format) ||
                      (!repack && stays_permuted(j->to, k->packed, k->own))))
        return repack ? tsr_format_copy(out, k->packed->format, err) : TSR_OK;
    return tsr_format_copy(out, k->own, err);
}

static tsr_status choose_format(tsr_format **out, job *j, const known *k, tsr_error *err)
{
    const settings *const s = j->s;
    const bool takes_entries = k->feed ? j->to->write_entries != NULL : j->to->write_coo != NULL,
               merges = (s->duplicates_given || j->transforms.may_meet) && s->pack.duplicates != TSR_DUP_KEEP;
    if (s->format || s->choose)
        return choose_given(out, j, k, err);
    if (k->packed || k->own)
        return choose_own(out, j, k, err);
    if (takes_entries && !k->repaired && !merges)
        return TSR_OK;
    j->dry.why = !takes_entries && k->natural ? "the usual format of such an input"
                                              : "the format of coordinates that are packed";
    if (!takes_entries && k->natural)
        return parse_format(out, j, k, k->natural, err);
    return tsr_format_coordinates(out, k->order,
                                  takes_entries && k->repaired && s->pack.duplicates == TSR_DUP_KEEP, err);
}

tsr_status tsr_conversion_choose(tsr_format **out, job *j, const known *k, tsr_error *err)
{
    const tsr_codec *const to = j->to;
    *out = NULL;
    j->dry.why = NULL;
    /* what the target cannot hold is refused before the work; the type of entries that come one by one is known later */
    const tsr_status able =
        to->check && !(k->feed && to->write_entries) ? to->check(k->order, k->type, err) : TSR_OK;
    if (able != TSR_OK)
        tsr_error_set_path(err, j->s->out);
    TSR_TRY(able);
    TSR_TRY(choose_format(out, j, k, err));
    if (!*out || k->structure == TSR_GENERAL || !tsr_format_stores_both_triangles(*out))
        return TSR_OK;
    return tsr_fail(
        err, TSR_ARGUMENT,
        "--keep-symmetry keeps one triangle, but the last level of this format is dense and stores "
        "both: leave --keep-symmetry out, or choose a sparse format");
}

tsr_status tsr_conversion_expands(bool *expands, const settings *s, tsr_structure structure, tsr_error *err)
{
    if (s->transforms.n > 0 && structure != TSR_GENERAL && s->keep_symmetry)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--keep-symmetry keeps one triangle, but --%s needs the whole of a %s matrix",
                        tsr_transforms_option(&s->transforms, 0), tsr_structure_name(structure));
    *expands = structure != TSR_GENERAL && !s->keep_symmetry;
    return TSR_OK;
}

tsr_status tsr_conversion_relabel(bool *done, job *j, tsr_tensor *tensor, tsr_error *err)
{
    j->in_order = tensor->order;
    memcpy(j->in_dims, tensor->dims, sizeof j->in_dims);
    const tsr_status status = tsr_transforms_relabel(done, &j->transforms, tensor, err);
    j->wrong = (tsr_transform_place){j->transforms.place.option, j->transforms.place.text};
    return status;
}

tsr_status tsr_conversion_keep_own(tsr_format **own, const tsr_format *format, int order,
                                   const uint64_t *dims, tsr_error *err)
{
    *own = NULL;
    return tsr_format_suits(format, order, dims) ? tsr_format_copy(own, format, err) : TSR_OK;
}
