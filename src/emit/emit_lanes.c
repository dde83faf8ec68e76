/* Functions of the C text that read lanes by a list of indices: pick_f64x8_u32(x, crd, last) has the lanes
 * x[min(crd[k], last)], and below_f64x8_u32(crd, n) is a mask of the lanes with crd[k] < n. Processors with
 * AVX-512 gather the lanes. */
#include "emit_internal.h"

const tsr_type emit_list_types[EMIT_NLISTS] = {TSR_U8, TSR_U16, TSR_U32};

static int list_of(tsr_type elem)
{
    int i = 0;
    while (i < EMIT_NLISTS - 1 && emit_list_types[i] != elem)
        i++;
    return i;
}

static tsr_ir_type lanes_type(int type, int lanes_log2)
{
    return (tsr_ir_type){TSR_IR_IS_VALUE, (tsr_type)type, 1 << lanes_log2};
}

/* Processors with AVX-512 gather the lanes with one instruction. Indices of 64 bits serve the mask of `below`, too, in a
 * register for masks: SpMV with sell, EPYC, takes 2 to 3% less time than with 32 bits, which are widened for the mask. */
typedef struct gather {
    tsr_type type, index;
    int lanes;
    const char *builtin; /* of gcc and clang; immintrin.h would take a second to compile */
    const char *as;      /* the type of its indices */
} gather;

static const gather gathers[] = {
    {TSR_F64, TSR_I64, 8, "__builtin_ia32_gatherdiv8df", "long long __attribute__((vector_size(64)))"},
    {TSR_F32, TSR_I32, 16, "__builtin_ia32_gathersiv16sf", "i32x16"}};

static const gather *gather_of(int type, int lanes_log2, int list)
{
    for (size_t i = 0; i < sizeof gathers / sizeof *gathers; i++)
        if (gathers[i].type == (tsr_type)type && gathers[i].lanes == 1 << lanes_log2 &&
            (gathers[i].index == TSR_I64 || emit_list_types[list] == TSR_U32))
            return &gathers[i];
    return NULL;
}

void emit_lanes_by(emit *e, const tsr_ir_expr *x)
{
    const bool picks = x->op == TSR_IR_PICK;
    const int list = list_of(x->by->elem), k = emit_log2_lanes(x->type.lanes);
    const tsr_ir_type type = {TSR_IR_IS_VALUE, x->type.type, x->type.lanes};
    (picks ? e->pick : e->below)[list][x->type.type][k] = true;
    emit_c_type(e, type);
    emit_use(e, EMIT_min_i64, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
    const gather *g = picks ? gather_of((int)x->type.type, k, list) : NULL;
    if (g)
        emit_c_type(e, (tsr_ir_type){TSR_IR_IS_VALUE, g->index, x->type.lanes});
    if (!picks)
        emit_c_type(e, emit_mask_type(type));
    if (!picks || g) {
        emit_use(e, EMIT_LOAD, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
        emit_c_type(e, (tsr_ir_type){TSR_IR_IS_VALUE, x->by->elem, x->type.lanes});
    }
    tsr_text_addf(&e->line, "%s_%s_%s(", picks ? "pick" : "below", emit_type_name(e, type),
                  tsr_type_name(x->by->elem));
    if (picks)
        tsr_text_addf(&e->line, "%s, ", e->array_name[x->array->number]);
    if (e->options.signed_index)
        tsr_text_addf(&e->line, "(const %s *)", emit_c_elem(x->by->elem));
    tsr_text_add(&e->line, e->options.signed_index ? "(" : "");
    emit_address(e, x->by, x->arg[0]);
    tsr_text_add(&e->line, e->options.signed_index ? "), " : ", ");
    emit_expr(e, x->arg[1], PREC_ANY);
    tsr_text_add(&e->line, ")");
}

/* The gathered lanes: those of indices beyond `last` read x[last]. */
static void put_gather(const emit *e, tsr_text *to, const gather *g, const char *by, const char *type)
{
    const int n = g->lanes;
    tsr_text text = {0}, *const out = &text;
    tsr_text_add(out, "#ifdef __AVX512F__\n");
    if (g->index == TSR_I64)
        tsr_text_addf(
            out,
            "    const i64x%d at = __builtin_convertvector(LOAD(%sx%d, crd), i64x%d), over = at > last;\n"
            "    const i64x%d low = (at & ~over) | (over & last);\n"
            "    return (%s)%s((%s){0}, x,\n        (%s)low, -1, %d);\n#endif\n",
            n, by, n, n, n, type, g->builtin, type, g->as, (int)tsr_type_nbytes(g->type));
    else
        tsr_text_addf(out,
                      "    if (last <= INT32_MAX) {\n"
                      "        const u32x%d at = LOAD(u32x%d, crd), over = (u32x%d)(at > (uint32_t)last);\n"
                      "        const i32x%d low = (i32x%d)((at & ~over) | (over & (uint32_t)last));\n"
                      "        return (%s)%s((%s){0}, x, (%s)low, -1, %d);\n    }\n#endif\n",
                      n, n, n, n, n, type, g->builtin, type, g->as, (int)tsr_type_nbytes(g->type));
    emit_keep_lines(e, to, tsr_text_cstr(out), text.nbytes);
    to->failed |= text.failed;
    tsr_text_clear(out);
}

static void put_pick(emit *e, tsr_text *out, int list, int t, int l)
{
    const char *type = emit_type_name(e, lanes_type(t, l)), *by = tsr_type_name(emit_list_types[list]);
    const gather *g = gather_of(t, l, list);
    tsr_text_addf(out, "static inline %s pick_%s_%s(const %s *x, const %s *crd, int64_t last)\n{\n", type,
                  type, by, emit_c_elem((tsr_type)t), emit_c_elem(emit_list_types[list]));
    if (g)
        put_gather(e, out, g, by, type);
    tsr_text_addf(out, "    return (%s){", type);
    for (int k = 0; k < 1 << l; k++)
        tsr_text_addf(out, "%sx[min_i64(crd[%d], last)]",
                      k == 0  ? ""
                      : k % 2 ? ", "
                              : ",\n                   ",
                      k);
    tsr_text_add(out, "};\n}\n\n");
}

static void put_below(emit *e, tsr_text *out, int list, int t, int l)
{
    const char *type = emit_type_name(e, lanes_type(t, l)), *by = tsr_type_name(emit_list_types[list]);
    const tsr_ir_type lanes = emit_mask_type(lanes_type(t, l));
    const char *mask = emit_type_name(e, lanes);
    const char *elem = emit_c_elem(emit_list_types[list]);
    static const char *const most[EMIT_NLISTS] = {"UINT8_MAX", "UINT16_MAX", "UINT32_MAX"};
    tsr_text_addf(out, "static inline %s below_%s_%s(const %s *crd, int64_t n)\n{\n", mask, type, by, elem);
    if (lanes.type == TSR_I64)
        tsr_text_addf(out, "    return __builtin_convertvector(LOAD(%sx%d, crd), %s) < n;\n}\n\n", by, 1 << l,
                      mask);
    else
        tsr_text_addf(out,
                      "    return __builtin_convertvector(LOAD(%sx%d, crd) < (%s)min_i64(n, %s), %s);\n}\n\n",
                      by, 1 << l, elem, most[list], mask);
}

static bool has_any(emit_type_set set)
{
    bool any = false;
    for (int t = 0; t < TSR_NTYPES; t++)
        for (int l = 1; l <= EMIT_MAX_LANES_LOG2; l++)
            any = any || set[t][l];
    return any;
}

static void put_all(emit *e, tsr_text *out, emit_type_set *sets, const char *what,
                    void (*put)(emit *, tsr_text *, int, int, int))
{
    bool first = true;
    for (int i = 0; i < EMIT_NLISTS; i++) {
        if (first && has_any(sets[i]))
            tsr_text_addf(out, "/* %s */\n", what);
        first = first && !has_any(sets[i]);
        for (int t = 0; t < TSR_NTYPES; t++)
            for (int l = 1; l <= EMIT_MAX_LANES_LOG2; l++)
                if (sets[i][t][l])
                    put(e, out, i, t, l);
    }
}

void emit_put_lanes(emit *e, tsr_text *out)
{
    put_all(e, out, e->pick, "Lane by lane, x[crd[k]], or x[last] where crd[k] is larger (padding is).",
            put_pick);
    put_all(e, out, e->below, "Lane by lane, whether crd[k] < n.", put_below);
}
