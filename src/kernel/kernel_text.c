/* The C text of a kernel of several steps, or of several statements (TSR_WITH_FUSION). It is one text: a function for each step, and one that
 * runs them in order, whose parameters are the tensors of the caller. What one step makes is read by the next ones where it is, or a
 * function of the text converts it before (tsr_lower_convert). */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_arena.h"
#include "tsr_emit.h"

/* A tensor of the text. */
typedef struct text_tensor {
    const tsr_kernel *scope;    /* the kernel whose steps it is one of; NULL: a tensor of the caller */
    const char *own;            /* the name in the statements */
    const char *name;           /* in C */
    bool is_made;               /* a step makes it; else the caller gives it */
    const tsr_kernel *like;     /* whose result has the same modes; NULL: a tensor of the caller */
    const tsr_format *format;   /* NULL: a list of entries, or unknown */
    const tsr_plan_operand *as; /* how a tensor of the caller is read */
    int shares; /* of a tensor that is made: the tensor that has the arrays of the outer nshared levels */
    int nshared;
    bool is_cast; /* it is that tensor in other types: arrays of which the type is the same are the same */
    const tsr_function *exact_for; /* which needs exact conversions of the values; or NULL */
} text_tensor;

/* A place of the function, with what it is: "size i 100", "2 of 1, level 3" (by the numbers of role, tensor and level). */
typedef struct text_place {
    char key[96];
    tsr_type type; /* of the elements; TSR_NTYPES: a number */
} text_place;

/* A kernel whose program is a step, and the kernels around it, whose steps it may read. */
typedef struct text_scope {
    const tsr_kernel *kernel;
    const struct text_scope *up;
    int result; /* the number of the tensor that it makes */
} text_scope;

enum { MAX_STEPS = 64, MAX_TENSORS = 128, MAX_PLACES = 512 };

typedef struct several {
    tsr_emit_calls calls;
    tsr_emit_call call[MAX_STEPS];
    tsr_lowered *conversion[MAX_STEPS]; /* owned; of each step; NULL: the program of a kernel */
    tsr_emit_place place[MAX_PLACES];
    text_place is[MAX_PLACES];
    text_tensor tensor[MAX_TENSORS];
    int ntensors;
    bool has_vectors, threads; /* the steps have vectors; conversions have threads */
    const char *function;      /* the name of the function of all */
    tsr_arena arena;
    tsr_error *err;
} several;

static tsr_status out_of_memory(const several *s)
{
    return tsr_fail(s->err, TSR_NOMEM, "out of memory for a kernel's text");
}

static tsr_status too_many(const several *s)
{
    return tsr_fail(s->err, TSR_LIMIT, "the C text has more than %d steps, %d tensors or %d parameters",
                    MAX_STEPS, MAX_TENSORS, MAX_PLACES);
}

/* A copy in the arena of the text, which is cleared; NULL: out of memory. */
static const char *keep(several *s, tsr_text *text)
{
    char *const copy = text->failed ? NULL : tsr_arena_alloc(&s->arena, text->nbytes + 1);
    if (copy)
        memcpy(copy, tsr_text_cstr(text), text->nbytes + 1);
    tsr_text_clear(text);
    return copy;
}

/* ---- names ---- */

static bool is_used(const several *s, const char *name)
{
    for (int k = 0; k < s->calls.nplaces; k++)
        if (strcmp(s->place[k].name, name) == 0)
            return true;
    for (int k = 0; k < s->ntensors; k++)
        if (strcmp(s->tensor[k].name, name) == 0)
            return true;
    return strcmp(name, "failed") == 0 || strcmp(name, s->function) == 0;
}

/* *out: the name, with a number behind it where another place has it. */
static tsr_status new_name(const char **out, several *s, const char *name)
{
    const char *const before = tsr_emit_is_name(name) ? "" : name[0] == '_' ? "v" : "v_";
    tsr_text text = {0};
    tsr_text_addf(&text, "%s%s", before, name);
    for (int k = 2; is_used(s, tsr_text_cstr(&text)) && !text.failed; k++) {
        tsr_text_clear(&text);
        tsr_text_addf(&text, "%s%s_%d", before, name, k);
    }
    *out = keep(s, &text);
    return *out ? TSR_OK : out_of_memory(s);
}

/* ---- tensors ---- */

static tsr_status add_tensor(int *out, several *s, const tsr_kernel *scope, const char *own, bool is_made)
{
    const size_t n =
        strcspn(own, ":"); /* a copy is found by its name and its format, and has the name alone */
    const char *name;
    tsr_text text = {0};
    if (s->ntensors == MAX_TENSORS)
        return too_many(s);
    tsr_text_add_n(&text, own, n);
    const char *const wanted = keep(s, &text);
    TSR_TRY(wanted ? new_name(&name, s, wanted) : out_of_memory(s));
    *out = s->ntensors++;
    s->tensor[*out] = (text_tensor){.scope = scope, .own = own, .name = name, .is_made = is_made};
    return TSR_OK;
}

static int find_tensor(const several *s, const tsr_kernel *scope, const char *own)
{
    for (int k = 0; k < s->ntensors; k++)
        if (s->tensor[k].scope == scope && strcmp(s->tensor[k].own, own) == 0)
            return k;
    return -1;
}

static tsr_status convert(several *s, int to, int from, const tsr_plan_operand *as);
static tsr_status cast(int *tensor, several *s, const tsr_plan_operand *as);

/* *out: the tensor with this name. */
static tsr_status tensor_of(int *out, several *s, const text_scope *scope, const char *own)
{
    for (; scope; scope = scope->up) {
        const tsr_kernel *const kernel = scope->kernel;
        *out = find_tensor(s, kernel, own);
        int k = 0;
        while (k < kernel->nsteps && (strcmp(kernel->step[k].name, own) != 0 || kernel->step[k].own))
            k++;
        if (*out >= 0)
            return TSR_OK;
        if (k == kernel->nsteps)
            continue;
        return add_tensor(out, s, kernel, own, false);
    }
    *out = find_tensor(s, NULL, own);
    return *out >= 0 ? TSR_OK : add_tensor(out, s, NULL, own, false);
}

/* *out: tensor t of the program, which may be a copy that the plan makes, and which the caller then gives. */
static tsr_status operand_of(int *out, several *s, const text_scope *scope, int t)
{
    const tsr_kernel *const kernel = scope->kernel;
    if (t == 0) {
        *out = scope->result;
        return TSR_OK;
    }
    if (t < kernel->notation->ntensors) {
        TSR_TRY(tensor_of(out, s, scope, kernel->notation->tensor[t].name));
        if (s->tensor[*out].is_made)
            return cast(out, s, &kernel->tensor[t].operand);
        s->tensor[*out].format = kernel->tensor[t].format;
        s->tensor[*out].as = &kernel->tensor[t].operand;
        return TSR_OK;
    }
    const tsr_plan_view *const view = &kernel->plan->view[t - kernel->notation->ntensors];
    const char *const name = kernel->notation->tensor[view->tensor].name;
    TSR_TRY(tensor_of(out, s, scope, name));
    const bool is_made = s->tensor[*out].is_made;
    if (is_made)
        TSR_TRY(cast(out, s, &kernel->tensor[view->tensor].operand));
    const int from = *out;
    tsr_text own = {0};
    tsr_text_addf(&own, "%s: %s converted to ", view->name, is_made ? s->tensor[from].name : name);
    tsr_format_print(&own, view->copy);
    const char *const text = keep(s, &own);
    if (!text)
        return out_of_memory(s);
    *out = find_tensor(s, NULL, text);
    if (*out >= 0)
        return TSR_OK;
    TSR_TRY(add_tensor(out, s, NULL, text, is_made));
    s->tensor[*out].format = view->copy;
    s->tensor[*out].as = &kernel->operand[t];
    return is_made ? convert(s, *out, from, &kernel->operand[t]) : TSR_OK;
}

/* ---- places ---- */

static int find_place(const several *s, const char *key)
{
    for (int k = 0; k < s->calls.nplaces; k++)
        if (strcmp(s->is[k].key, key) == 0)
            return k;
    return -1;
}

/* Add a place, whose name no other place has. */
static tsr_status add_place(int *out, several *s, const char *key, const tsr_emit_place *place, tsr_type type)
{
    if (s->calls.nplaces == MAX_PLACES)
        return too_many(s);
    *out = s->calls.nplaces;
    s->place[*out] = *place;
    s->is[*out].type = type;
    snprintf(s->is[*out].key, sizeof s->is[*out].key, "%s", key);
    s->calls.nplaces++;
    return TSR_OK;
}

static void key_of(char *key, size_t n, int tensor, tsr_param_role role, int level)
{
    snprintf(key, n, "%d of %d, level %d", (int)role, tensor, level);
}

/* The place of an array or a number of the tensor, or of the one that *tensor becomes, whose levels it shares; -1: not yet. */
static int find_own(int *tensor, const several *s, tsr_param_role role, int level)
{
    for (;;) {
        const text_tensor *const t = &s->tensor[*tensor];
        char key[96];
        key_of(key, sizeof key, *tensor, role, level);
        const int place = find_place(s, key);
        const bool has = role == TSR_PARAM_VALUES ? !t->is_cast : level < 0 || level >= t->nshared;
        if (place >= 0 || !t->is_made || has)
            return place;
        *tensor = t->shares;
    }
}

/* *out: a number that the caller gives; the texts are cleared. */
static tsr_status add_number(int *out, several *s, const char *key, tsr_text *name, tsr_text *what)
{
    tsr_emit_place place = {.kind = TSR_EMIT_GIVEN, .what = keep(s, what)};
    const char *const wanted = keep(s, name);
    TSR_TRY(wanted && place.what ? new_name(&place.name, s, wanted) : out_of_memory(s));
    return add_place(out, s, key, &place, TSR_NTYPES);
}

/* *out: the place of the size of a variable. */
static tsr_status size_place(int *out, several *s, const char *var, uint64_t size)
{
    char key[96];
    tsr_text name = {0}, what = {0};
    snprintf(key, sizeof key, "size %.60s %" PRIu64, var, size);
    *out = find_place(s, key);
    if (*out >= 0)
        return TSR_OK;
    tsr_text_addf(&name, "%s_size", var);
    tsr_text_addf(&what, "size of %s: it goes from 0 to size - 1", var);
    return add_number(out, s, key, &name, &what);
}

/* Append the size of a mode of a tensor that a step makes. */
static tsr_status add_mode_size(tsr_text *text, several *s, int tensor, int mode)
{
    const tsr_kernel *const kernel = s->tensor[tensor].like;
    const int v = kernel->notation->result->index[mode];
    int place;
    const uint64_t size = kernel->storage ? kernel->size[v] : kernel->plan->size[v];
    if (!kernel->storage && tsr_plan_has(kernel->plan->literal, v)) {
        tsr_text_add_u64(text, size);
        return TSR_OK;
    }
    TSR_TRY(size_place(&place, s, kernel->notation->var[v], size));
    tsr_text_add(text, s->place[place].name);
    return TSR_OK;
}

/* The same of level l. */
static tsr_status add_level_size(tsr_text *text, several *s, int tensor, int l)
{
    int perm[TSR_MAX_LEVELS];
    if (tsr_format_is_permutation(s->tensor[tensor].format, perm))
        return add_mode_size(text, s, tensor, perm[l]);
    return tsr_fail(
        s->err, TSR_UNSUPPORTED,
        "%s is stored in blocks, and a C text of several steps has formats without blocks between "
        "them: compute %s in a kernel of its own",
        s->tensor[tensor].own, s->tensor[tensor].own);
}

/* Append the number of positions of level l of the tensor: of one of the caller, a parameter. */
static tsr_status add_npos(tsr_text *text, several *s, int tensor, int level)
{
    char key[96];
    if (level < 0) {
        tsr_text_add(text, "1");
        return TSR_OK;
    }
    int place = find_own(&tensor, s, TSR_PARAM_CRD, level);
    if (s->tensor[tensor].is_made && place >= 0) {
        tsr_text_addf(text, "%s.n", s->place[place].name);
        return TSR_OK;
    }
    if (s->tensor[tensor].is_made) {
        tsr_text up = {0};
        tsr_status status = add_npos(&up, s, tensor, level - 1);
        if (status == TSR_OK && strcmp(tsr_text_cstr(&up), "1") != 0)
            tsr_text_addf(text, "%s * ", tsr_text_cstr(&up));
        text->failed |= up.failed;
        tsr_text_clear(&up);
        return status == TSR_OK ? add_level_size(text, s, tensor, level) : status;
    }
    place = find_own(&tensor, s, TSR_PARAM_NPOS, level);
    if (place < 0) {
        tsr_text name = {0}, what = {0};
        key_of(key, sizeof key, tensor, TSR_PARAM_NPOS, level);
        tsr_text_addf(&name, "%s%d_npos", s->tensor[tensor].name, level + 1);
        tsr_text_addf(&what, "the number of positions of level %d of %s", level + 1, s->tensor[tensor].name);
        TSR_TRY(add_number(&place, s, key, &name, &what));
    }
    tsr_text_add(text, s->place[place].name);
    return TSR_OK;
}

/* A parameter of a program. */
typedef struct text_param {
    const tsr_ir_param *ir;
    const tsr_param *of;
    const char *what;
    const char *base; /* the name of its tensor in the program; or NULL */
    int tensor;       /* of the text; -1: none */
} text_param;

static tsr_type type_of(const text_param *p)
{
    return p->ir->array ? p->ir->array->elem : TSR_NTYPES;
}

/* What a parameter that is an output is read as. */
static tsr_param_role as_read(tsr_param_role role)
{
    static const tsr_param_role read[] = {[TSR_PARAM_OUT_POS] = TSR_PARAM_POS,
                                          [TSR_PARAM_OUT_CRD] = TSR_PARAM_CRD,
                                          [TSR_PARAM_OUT_BITS] = TSR_PARAM_BITS,
                                          [TSR_PARAM_OUT_VALUES] = TSR_PARAM_VALUES};
    return role >= TSR_PARAM_OUT_POS && role <= TSR_PARAM_OUT_VALUES ? read[role] : role;
}

/* *out: the name of the place of a parameter: that of the tensor, for its values, or with the end of the name in the program: "2_pos",
 * without the number that makes it different there. */
static tsr_status name_place(const char **out, several *s, const text_param *p)
{
    const char *const own = p->ir->array ? p->ir->array->name : p->ir->var->name;
    tsr_text name = {0};
    *out = p->tensor < 0 ? "" : s->tensor[p->tensor].name;
    if (as_read(p->of->role) == TSR_PARAM_VALUES)
        return TSR_OK;
    size_t from = p->tensor < 0 ? 0 : strlen(p->base), n = strlen(own);
    while (n > from && isdigit((unsigned char)own[n - 1]))
        n--;
    tsr_text_add(&name, *out);
    tsr_text_add_n(&name, own + from, n - from);
    const char *const wanted = keep(s, &name);
    return wanted ? new_name(out, s, wanted) : out_of_memory(s);
}

/* *out: a place that the caller gives. */
static tsr_status given_place(int *out, several *s, const char *key, const text_param *p)
{
    tsr_text what = {0};
    tsr_emit_place place = {.kind = TSR_EMIT_GIVEN};
    tsr_text_add(&what, p->what);
    place.what = keep(s, &what);
    TSR_TRY(place.what ? name_place(&place.name, s, p) : out_of_memory(s));
    return add_place(out, s, key, &place, type_of(p));
}

/* *out: the place of an array that the step makes which is being added. */
static tsr_status new_place(int *out, several *s, const char *key, const text_param *p)
{
    tsr_text count = {0};
    tsr_emit_place place = {.kind = TSR_EMIT_MADE};
    TSR_TRY(name_place(&place.name, s, p));
    if (p->of->role == TSR_PARAM_DIFFERS)
        place.refuses = "values that the type of the next step does not have";
    if (p->ir->array->place != TSR_IR_OUTPUT) {
        place.kind = TSR_EMIT_ROOM;
        const tsr_status status = add_npos(&count, s, p->tensor, s->tensor[p->tensor].format->nlevels - 1);
        place.count = keep(s, &count);
        TSR_TRY(status);
        if (!place.count)
            return out_of_memory(s);
    }
    return add_place(out, s, key, &place, type_of(p));
}

/* *out: the place of a number that a step before determines. */
static tsr_status number_place(int *out, several *s, const char *key, const text_param *p)
{
    tsr_emit_place place = {.kind = TSR_EMIT_WRITTEN, .name = ""};
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    if (p->of->role == TSR_PARAM_NPOS)
        status = add_npos(&text, s, p->tensor, p->of->level);
    else if (p->of->role == TSR_PARAM_LOW)
        tsr_text_add(&text, "0");
    else
        status = add_level_size(&text, s, p->tensor, p->of->level);
    place.count = keep(s, &text);
    TSR_TRY(status);
    return place.count ? add_place(out, s, key, &place, TSR_NTYPES) : out_of_memory(s);
}

/* *out: the place of a parameter of the step that is being added, whose tensor of the text is known. */
static tsr_status place_of(int *out, several *s, const text_param *p)
{
    const tsr_param_role role = as_read(p->of->role);
    text_param own = *p;
    char key[96];
    if (p->of->tensor == 0 &&
        s->tensor[p->tensor].is_made) { /* an array that the step makes, or a number of the result */
        key_of(key, sizeof key, p->tensor, role, p->of->level);
        *out = find_place(s, key);
        return *out >= 0 ? TSR_OK : p->ir->array ? new_place(out, s, key, p) : number_place(out, s, key, p);
    }
    *out = p->tensor < 0 ? -1 : find_own(&own.tensor, s, role, p->of->level);
    key_of(key, sizeof key, own.tensor, role, p->of->level);
    if (*out < 0 && own.tensor < 0)
        *out = find_place(s, key);
    if (*out >= 0)
        return TSR_OK;
    if (own.tensor < 0 || !s->tensor[own.tensor].is_made)
        return given_place(out, s, key, &own);
    if (!p->ir->array)
        return number_place(out, s, key, &own);
    return tsr_fail(s->err, TSR_UNSUPPORTED,
                    "%s does not have all arrays that step %d reads: compute it in a kernel of its own",
                    s->tensor[p->tensor].own, s->calls.ncalls + 1);
}

/* The same for a program of the kernel. */
static tsr_status program_place(int *out, several *s, const text_scope *scope, text_param *p)
{
    const tsr_kernel *const kernel = scope->kernel;
    const tsr_plan *const plan = kernel->plan;
    const int t = p->of->tensor, n = kernel->notation->ntensors;
    if (p->of->role == TSR_PARAM_SIZE)
        return size_place(out, s, plan->notation->var[p->of->var], plan->size[p->of->var]);
    if (t >= 0)
        TSR_TRY(operand_of(&p->tensor, s, scope, t));
    p->base = t < 0 ? NULL : t < n ? kernel->notation->tensor[t].name : plan->view[t - n].name;
    return place_of(out, s, p);
}

/* ---- steps ---- */

/* *out: a new step, with room for the places of its parameters. */
static tsr_status add_call(tsr_emit_call **out, int **place, several *s, const tsr_ir *ir)
{
    tsr_text name = {0};
    if (s->calls.ncalls == MAX_STEPS)
        return too_many(s);
    *place = tsr_arena_alloc(&s->arena, ((size_t)ir->nparams + 1) * sizeof **place);
    tsr_text_addf(&name, "%s_%d", s->function, s->calls.ncalls + 1);
    *out = &s->call[s->calls.ncalls];
    **out = (tsr_emit_call){.ir = ir, .name = keep(s, &name), .place = *place};
    return *place && (*out)->name ? TSR_OK : out_of_memory(s);
}

/* The type of the elements of an array of the tensor. TSR_NTYPES: it does not have the array. */
static tsr_type find_type(const several *s, int tensor, tsr_param_role role, int level)
{
    const int place = find_own(&tensor, s, role, level);
    const tsr_plan_operand *const as = s->tensor[tensor].as;
    if (place >= 0)
        return s->is[place].type;
    if (s->tensor[tensor].is_made || !as)
        return TSR_NTYPES;
    if (role == TSR_PARAM_VALUES)
        return as->type;
    if (as->nbytes[role - TSR_PARAM_POS][level] == 0)
        return TSR_NTYPES;
    return tsr_type_unsigned(as->nbytes[role - TSR_PARAM_POS][level]);
}

static tsr_status refuse_conversion(const several *s, int tensor, const tsr_format *to)
{
    tsr_text name = {0};
    tsr_format_print_name(&name, to);
    const tsr_status status =
        tsr_fail(s->err, TSR_UNSUPPORTED,
                 "%s has to be converted to %s for step %d, and a C text converts from dense levels, lists "
                 "and coordinates, to these "
                 "and to blocks: compute %s in a kernel of its own",
                 s->tensor[tensor].own, tsr_text_cstr(&name), s->calls.ncalls + 1, s->tensor[tensor].own);
    tsr_text_clear(&name);
    return status;
}

/* What is known of the source of a conversion. */
static tsr_lower_side describe_source(const several *s, int from)
{
    const text_tensor *const t = &s->tensor[from];
    tsr_lower_side side = {.name = t->name, .format = t->format};
    const int n = t->format ? t->format->nlevels : t->like->tensor[0].format->order;
    side.type = find_type(s, from, TSR_PARAM_VALUES, -1);
    for (int l = 0; l < n; l++)
        for (int role = 0; role < TSR_LEVEL_NROLES; role++) {
            const tsr_type type = find_type(s, from, (tsr_param_role)(TSR_PARAM_POS + role), l);
            side.nbytes[role][l] = type == TSR_NTYPES ? 0 : (uint8_t)tsr_type_nbytes(type);
        }
    return side;
}

/* *out: the place of a parameter of a conversion. */
static tsr_status conversion_place(int *out, several *s, int to, int from, text_param *p)
{
    static const char *const whats[] = {[TSR_PARAM_OUT_POS] =
                                            "positions: the children of parent p are [pos[p], pos[p + 1])",
                                        [TSR_PARAM_OUT_CRD] = "coordinates",
                                        [TSR_PARAM_OUT_VALUES] = "the values",
                                        [TSR_PARAM_DIFFERS] = "refused values"};
    static const char threads[] = "threads to use; 0 or less: as many as omp_get_max_threads() says";
    tsr_text text = {0};
    p->tensor = p->of->tensor == 0 ? to : p->of->tensor < 0 ? -1 : from;
    p->what = p->of->role == TSR_PARAM_NTHREADS ? threads : NULL;
    if (p->of->role == TSR_PARAM_SIZE) {
        const tsr_status status = add_mode_size(&text, s, to, p->of->var);
        const tsr_emit_place place = {.kind = TSR_EMIT_WRITTEN, .name = "", .count = keep(s, &text)};
        TSR_TRY(status);
        return place.count ? add_place(out, s, "", &place, TSR_NTYPES) : out_of_memory(s);
    }
    if (p->of->tensor == 0) {
        tsr_text_addf(&text, "allocated by the function, free() it: %s of ", whats[p->of->role]);
        if (p->of->level >= 0)
            tsr_text_addf(&text, "level %d of ", p->of->level + 1);
        tsr_text_add(&text, s->tensor[to].own);
        p->what = keep(s, &text);
    }
    return p->what || p->of->tensor != 0 ? place_of(out, s, p) : out_of_memory(s);
}

/* Add the step of a conversion. */
static tsr_status add_conversion(several *s, int to, int from, tsr_lower_conversion *of, const char *header)
{
    tsr_emit_call *call;
    int *place;
    of->threads = s->threads;
    of->to.name = s->tensor[to].name;
    of->from = describe_source(s, from);
    TSR_TRY(s->calls.ncalls == MAX_STEPS ? too_many(s) : header ? TSR_OK : out_of_memory(s));
    tsr_lowered **const lowered = &s->conversion[s->calls.ncalls];
    TSR_TRY(tsr_lower_convert(lowered, of, s->function, header, s->err));
    TSR_TRY(add_call(&call, &place, s, (*lowered)->ir));
    s->calls.ncalls++;
    call->threads = of->threads;
    for (int i = 0; i < call->ir->nparams; i++) {
        const tsr_param *const param = &(*lowered)->param[i];
        text_param p = {&call->ir->param[i], param, NULL, param->tensor == 0 ? of->to.name : of->from.name,
                        -1};
        TSR_TRY(conversion_place(&place[i], s, to, from, &p));
    }
    return TSR_OK;
}

/* Add the program that converts tensor `from` to tensor `to`, whose format is set, with the types of `as`. */
static tsr_status convert(several *s, int to, int from, const tsr_plan_operand *as)
{
    const tsr_format *const format = s->tensor[to].format;
    tsr_lower_conversion of = {.to = {.format = format, .type = as->type}};
    tsr_text text = {0};
    if (!tsr_lower_can_convert(format) || !tsr_lower_can_convert_from(s->tensor[from].format))
        return refuse_conversion(s, from, format);
    memcpy(of.to.nbytes, as->nbytes, sizeof of.to.nbytes);
    s->tensor[to].like = s->tensor[from].like;
    tsr_text_addf(&text, "%s: %s converted to ", s->tensor[to].name, s->tensor[from].name);
    tsr_format_print_name(&text, format);
    return add_conversion(s, to, from, &of, keep(s, &text));
}

/* Whether the tensor, which is made, has the types of `as`. */
static bool has_types(const several *s, int tensor, const tsr_plan_operand *as)
{
    const tsr_lower_side side = describe_source(s, tensor);
    bool same = as->type == TSR_PATTERN || side.type == TSR_NTYPES || side.type == as->type;
    for (int role = 0; role < TSR_LEVEL_NROLES; role++)
        for (int l = 0; l < TSR_MAX_LEVELS; l++)
            same = same && (side.nbytes[role][l] == 0 || as->nbytes[role][l] == 0 ||
                            side.nbytes[role][l] == as->nbytes[role][l]);
    return same;
}

/* *tensor, which is made, becomes the same tensor with the types of `as`: a copy in these types, where it does not have them. */
static tsr_status cast(int *tensor, several *s, const tsr_plan_operand *as)
{
    const int from = *tensor;
    tsr_lower_conversion of = {.is_cast = true, .is_exact = s->tensor[from].exact_for};
    tsr_text text = {0};
    if (has_types(s, from, as))
        return TSR_OK;
    for (*tensor = from + 1; *tensor < s->ntensors; ++*tensor)
        if (s->tensor[*tensor].is_cast && s->tensor[*tensor].shares == from && has_types(s, *tensor, as))
            return TSR_OK;
    TSR_TRY(add_tensor(tensor, s, s->tensor[from].scope, s->tensor[from].own, true));
    text_tensor *const to = &s->tensor[*tensor];
    to->like = s->tensor[from].like;
    to->as = as;
    of.to.format = to->format = s->tensor[from].format;
    of.to.type = as->type;
    to->is_cast = true;
    to->shares = from;
    to->nshared = to->format->nlevels;
    memcpy(of.to.nbytes, as->nbytes, sizeof of.to.nbytes);
    tsr_text_addf(&text, "%s: %s with values of the type %s, and indices as they are read", to->name,
                  s->tensor[from].name, tsr_type_name(as->type));
    return add_conversion(s, *tensor, from, &of, keep(s, &text));
}

/* Whether the outputs of the program are not yet the arrays of the result. */
static bool is_raw(const tsr_kernel *kernel)
{
    return kernel_assembles(kernel) && (kernel->plan->sink == TSR_PLAN_LIST || kernel->plan->converts);
}

/* *scope: that of the program, whose result is what it makes, which is then converted. */
static tsr_status open_result(text_scope *scope, several *s, const text_scope *of)
{
    const tsr_kernel *const kernel = of->kernel;
    const bool is_made = s->tensor[of->result].is_made;
    tsr_text name = {0};
    *scope = *of;
    s->tensor[of->result].like = kernel;
    s->tensor[of->result].format = kernel->tensor[0].format;
    s->tensor[of->result].as = &kernel->tensor[0].operand;
    if (!is_raw(kernel) || (!is_made && !tsr_lower_can_convert(kernel->tensor[0].format)))
        return TSR_OK;
    tsr_text_addf(&name, "%s_%s", s->tensor[of->result].name,
                  kernel->plan->sink == TSR_PLAN_LIST ? "list" : "made");
    const char *const own = keep(s, &name);
    TSR_TRY(own ? add_tensor(&scope->result, s, kernel, own, true) : out_of_memory(s));
    s->tensor[scope->result].like = kernel;
    s->tensor[scope->result].format =
        kernel->plan->sink == TSR_PLAN_LIST ? NULL : kernel->plan->rows.assembled;
    return TSR_OK;
}

/* Add the programs that convert what the program of the kernel reads. */
static tsr_status find_operands(several *s, const text_scope *scope)
{
    const tsr_kernel *const kernel = scope->kernel;
    int of;
    for (int i = 0; i < kernel->lowered->ir->nparams; i++)
        if (kernel->lowered->param[i].tensor > 0)
            TSR_TRY(operand_of(&of, s, scope, kernel->lowered->param[i].tensor));
    return TSR_OK;
}

/* Add the program of the kernel itself. */
static tsr_status add_program(several *s, const text_scope *of)
{
    const tsr_kernel *const kernel = of->kernel;
    const tsr_ir *const ir = s->has_vectors ? kernel->lowered->ir : kernel->lowered->plain;
    text_scope scope;
    tsr_emit_call *call;
    int *place;
    char **texts, *buffer;
    TSR_TRY(open_result(&scope, s, of));
    TSR_TRY(find_operands(s, &scope));
    text_tensor *const made = &s->tensor[scope.result];
    if (made->is_made && kernel->lowered->pattern_tensor > 0) {
        TSR_TRY(operand_of(&made->shares, s, &scope, kernel->lowered->pattern_tensor));
        made->nshared = kernel->lowered->pattern_nlevels;
    }
    s->threads = !tsr_plan_is_serial(kernel->plan);
    TSR_TRY(add_call(&call, &place, s, ir));
    TSR_TRY(kernel_param_texts(&texts, &buffer, &call->threads, kernel, s->err));
    tsr_status status = TSR_OK;
    for (int pass = 0; pass < 2;
         pass++) /* arrays whose number of elements is computed: after the lists that say it */
        for (int i = 0; i < ir->nparams && status == TSR_OK; i++) {
            text_param p = {&ir->param[i], &kernel->lowered->param[i], texts[i], NULL, -1};
            const bool is_room = p.of->tensor == 0 && p.of->role == TSR_PARAM_VALUES;
            if (is_room == (pass == 1))
                status = program_place(&place[i], s, &scope, &p);
        }
    tsr_free(texts);
    tsr_free(buffer);
    s->calls.ncalls++;
    return status == TSR_OK && scope.result != of->result
               ? convert(s, of->result, scope.result, &kernel->tensor[0].operand)
               : status;
}

static tsr_status add_kernel(several *s, const tsr_kernel *kernel, const text_scope *up, int result);

/* Add the steps of the kernel. */
static tsr_status add_steps(several *s, const text_scope *scope)
{
    const tsr_kernel *const kernel = scope->kernel;
    for (int k = 0; k < kernel->nsteps; k++) {
        int result = -1;
        if (!kernel->step[k].own)
            continue;
        TSR_TRY(add_tensor(&result, s, kernel, kernel->step[k].name, true));
        s->tensor[result].exact_for = kernel->step[k].exact_for;
        TSR_TRY(add_kernel(s, kernel->step[k].own, scope, result));
    }
    return TSR_OK;
}

/* Add the kernel with its steps. result: the tensor of the text that it makes. */
static tsr_status add_kernel(several *s, const tsr_kernel *kernel, const text_scope *up, int result)
{
    text_scope *const scope = tsr_arena_alloc(&s->arena, sizeof *scope);
    if (!scope)
        return out_of_memory(s);
    *scope = (text_scope){kernel, up, result};
    TSR_TRY(add_steps(s, scope));
    return kernel->last ? add_kernel(s, kernel->last, scope, result) : add_program(s, scope);
}

/* The first lines: the statements, and the tensors of the caller. */
static const char *header_of(several *s, const tsr_kernel *kernel)
{
    tsr_text text = {0};
    tsr_text_addf(&text, "%s, in %d steps", kernel->text.expression, s->calls.ncalls);
    for (int k = 0; k < s->ntensors; k++) {
        const text_tensor *const t = &s->tensor[k];
        const char *const copy = strchr(t->own, ':');
        if (t->is_made || (!copy && !t->format))
            continue;
        tsr_text_addf(&text, "\n%s%s", t->name, copy ? copy : ": ");
        if (copy)
            continue;
        tsr_text_add(&text, tsr_type_name(t->as->type));
        if (t->format->nlevels > 0)
            tsr_text_add(&text, ", ");
        if (t->format->nlevels > 0)
            tsr_format_print_name(&text, t->format);
    }
    return keep(s, &text);
}

tsr_status kernel_print_several(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what,
                                const tsr_emit_options *how, tsr_error *err)
{
    several *const s = tsr_calloc(1, sizeof *s);
    int result;
    if (!s)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a kernel's text");
    const tsr_kernel *first = kernel;
    while (!first->lowered)
        first = first->last;
    s->err = err;
    s->has_vectors = what == TSR_KERNEL_C || what == TSR_KERNEL_C_SHORT;
    s->function = first->lowered->ir->name;
    s->calls = (tsr_emit_calls){.name = s->function, .call = s->call, .place = s->place};
    tsr_status status = add_tensor(&result, s, NULL, kernel_notation(kernel)->tensor[0].name, false);
    if (status == TSR_OK)
        status = add_kernel(s, kernel, NULL, result);
    if (status == TSR_OK && !(s->calls.header = header_of(s, kernel)))
        status = out_of_memory(s);
    if (status == TSR_OK)
        status = what == TSR_KERNEL_HEADER ? tsr_emit_several_header(text, &s->calls, how, err)
                                           : tsr_emit_several(text, &s->calls, how, err);
    for (int k = 0; k < MAX_STEPS; k++)
        tsr_lowered_free(s->conversion[k]);
    tsr_arena_clear(&s->arena);
    tsr_free(s);
    return status;
}

bool kernel_prints_several(const tsr_kernel *kernel)
{
    return kernel_computes_steps(kernel) ||
           (is_raw(kernel) && tsr_lower_can_convert(kernel->tensor[0].format));
}
