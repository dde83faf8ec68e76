/* What tkern --json says: the summary, the check and the times as members of one object. */
#include "tkern.h"
#include "tsr_parallel.h"

static void put_tensor(tsr_json *json, const tsr_tensor *tensor, uint64_t n, const char *name,
                       const char *source)
{
    tsr_text format = {0};
    tsr_format_print_name_for(&format, tensor->format, tensor->dims);
    tsr_json_open(json, NULL, '{', true);
    tsr_json_string(json, "name", name);
    tsr_json_dims(json, "dims", tensor->order, tensor->dims);
    tsr_json_string(json, "format", tsr_text_cstr(&format));
    tsr_json_u64(json, "values", n);
    tsr_json_string(json, "type", tsr_type_name(tensor->type));
    tsr_json_u64(json, "bytes", tsr_tensor_nbytes(tensor));
    tsr_json_string(json, "source", source);
    tsr_json_close(json, '}');
    tsr_text_clear(&format);
}

static void put_sums(tsr_json *json, const tsr_tensor *tensor)
{
    const tsr_tkern_sums s = tsr_tkern_sum(tensor);
    if (tsr_type_class(tensor->type) == 'C') {
        tsr_json_open(json, "sum", '[', true);
        tsr_json_f64(json, NULL, s.sum[0]);
        tsr_json_f64(json, NULL, s.sum[1]);
        tsr_json_close(json, ']');
    } else {
        tsr_json_f64(json, "sum", s.sum[0]);
    }
    tsr_json_f64(json, "norm", s.norm);
}

static const char *engine_name(const tsr_kernel_info *info)
{
    return info->engine == TSR_ENGINE_BUILTIN ? "builtin"
           : info->engine == TSR_ENGINE_JIT   ? "jit"
                                              : "interpreter";
}

void tsr_tkern_json_show(const tsr_tkern *t)
{
    const tsr_kernel_info *const info = tsr_kernel_get_info(t->kernel);
    tsr_json *const json = t->json;
    tsr_json_string(json, "expression", t->blocks ? t->s->expression : info->expression);
    tsr_json_open(json, "tensors", '[', false);
    put_tensor(json, t->result, t->result->npos, t->tensor[0].name,
               t->tensor[0].out ? t->tensor[0].out : "result");
    for (int i = 1; i < t->notation->ntensors; i++)
        put_tensor(json, t->tensor[i].tensor,
                   i == tsr_tkern_blocks_operand(t) ? tsr_tkern_blocks_nnz(t) : t->tensor[i].tensor->npos,
                   t->tensor[i].name,
                   t->tensor[i].path    ? t->tensor[i].path
                   : t->tensor[i].value ? "given"
                                        : "generated");
    tsr_json_close(json, ']');
    if (t->result->type != TSR_PATTERN)
        put_sums(json, t->result);
    tsr_json_string(json, "engine", engine_name(info));
    tsr_json_bool(json, "from_cache", info->from_cache);
    tsr_json_string(json, "schedule", info->schedule);
    if (t->blocks)
        tsr_json_u64(json, "blocks_read", tsr_tkern_blocks_count(t));
    tsr_json_u64(json, "threads", (uint64_t)tsr_tkern_threads(t));
    tsr_json_f64(json, "make_seconds", 1e-9 * (double)(info->lower_ns + info->compile_ns + info->load_ns));
    tsr_json_f64(json, "run_seconds", 1e-9 * (double)t->run_ns);
}

void tsr_tkern_json_timing(const tsr_tkern *t, const tsr_tkern_timing *timing)
{
    tsr_json *const json = t->json;
    tsr_json_open(json, "time", '{', true);
    tsr_json_u64(json, "runs", (uint64_t)t->s->nruns);
    tsr_json_f64(json, "min_seconds", 1e-9 * timing->min_ns);
    tsr_json_f64(json, "median_seconds", 1e-9 * timing->median_ns);
    tsr_json_f64(json, "flops", timing->work.flops);
    tsr_json_f64(json, "bytes", timing->work.nbytes);
    tsr_json_f64(json, "triad_bytes_per_second", timing->bandwidth);
    tsr_json_close(json, '}');
}

void tsr_tkern_json_comparison(const tsr_tkern *t, const char *against, const tsr_comparison *c,
                               const char *why)
{
    tsr_json *const json = t->json;
    tsr_json_open(json, against, '{', true);
    if (!c) {
        tsr_json_null(json, "equal");
        tsr_json_string(json, "why", why);
    } else {
        tsr_json_bool(json, "equal", c->same);
        tsr_json_u64(json, "values", c->n);
    }
    if (c && c->whole)
        tsr_json_u64(json, "different", c->ndifferent);
    if (c && !c->whole) {
        tsr_json_f64(json, "difference", c->difference);
        tsr_json_f64(json, "largest", c->largest);
        tsr_json_f64(json, "tolerance", c->tolerance);
    }
    tsr_json_close(json, '}');
}
