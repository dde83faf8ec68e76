/* The C text of a kernel of several steps, or of several statements (TSR_WITH_FUSION). It is one text: a function for each step, and one that
 * runs them in order, whose parameters are the tensors of the caller. What one step makes is read by the next ones where it is. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_arena.h"
#include "tsr_emit.h"

/* A tensor of the text. */
typedef struct text_tensor {
    const tsr_kernel *scope; /* the kernel whose steps it is one of; NULL: a tensor of the caller */
    const char *own;         /* the name in the statements */
    const char *name;        /* in C */
    int maker;               /* the number of the step that makes it; -1: the caller gives it */
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
    const tsr_kernel *kernel[MAX_STEPS]; /* of each step */
    text_scope scope[MAX_STEPS];
    tsr_emit_place place[MAX_PLACES];
    text_place is[MAX_PLACES];
    text_tensor tensor[MAX_TENSORS];
    int ntensors;
    bool has_vectors;
    const char *function; /* the name of the function of all */
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

/* Add a tensor. maker: -1, or 0: the step that makes it says so when it is added. */
static tsr_status add_tensor(int *out, several *s, const tsr_kernel *scope, const char *own, int maker)
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
    s->tensor[*out] = (text_tensor){.scope = scope, .own = own, .name = name, .maker = maker};
    return TSR_OK;
}

static int find_tensor(const several *s, const tsr_kernel *scope, const char *own)
{
    for (int k = 0; k < s->ntensors; k++)
        if (s->tensor[k].scope == scope && strcmp(s->tensor[k].own, own) == 0)
            return k;
    return -1;
}

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
        if (kernel->step[k].kind == TSR_RULES_OLD && s->tensor[scope->result].maker >= 0)
            return tsr_fail(
                s->err, TSR_UNSUPPORTED,
                "step %d, %s, reduces to a sparse result that has no entries before, which a C text does not "
                "make: compute it in a kernel of its own",
                s->calls.ncalls + 1, kernel->text.expression);
        return add_tensor(out, s, kernel, own, -1);
    }
    *out = find_tensor(s, NULL, own);
    return *out >= 0 ? TSR_OK : add_tensor(out, s, NULL, own, -1);
}

/* *out: tensor t of the program, which may be a copy that the plan makes, and which the caller then gives. */
static tsr_status operand_of(int *out, several *s, const text_scope *scope, int t)
{
    const tsr_kernel *const kernel = scope->kernel;
    if (t == 0) {
        *out = scope->result;
        return TSR_OK;
    }
    if (t < kernel->notation->ntensors)
        return tensor_of(out, s, scope, kernel->notation->tensor[t].name);
    const tsr_plan_view *const view = &kernel->plan->view[t - kernel->notation->ntensors];
    const char *const name = kernel->notation->tensor[view->tensor].name;
    TSR_TRY(tensor_of(out, s, scope, name));
    if (s->tensor[*out].maker >= 0)
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "step %d, %s, reads %s, which an earlier step makes, in another order, and a C text does not "
            "sort: compute %s in a kernel of its own, and give it as an operand",
            s->calls.ncalls + 1, kernel->text.expression, name, name);
    tsr_text own = {0};
    tsr_text_addf(&own, "%s: %s converted to ", view->name, name);
    tsr_format_print(&own, view->copy);
    const char *const text = keep(s, &own);
    if (!text)
        return out_of_memory(s);
    *out = find_tensor(s, NULL, text);
    return *out >= 0 ? TSR_OK : add_tensor(out, s, NULL, text, -1);
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

/* *out: a number that the caller gives; the texts are cleared. */
static tsr_status add_number(int *out, several *s, const char *key, tsr_text *name, tsr_text *what)
{
    tsr_emit_place place = {.kind = TSR_EMIT_GIVEN, .what = keep(s, what)};
    const char *const wanted = keep(s, name);
    TSR_TRY(wanted && place.what ? new_name(&place.name, s, wanted) : out_of_memory(s));
    return add_place(out, s, key, &place, TSR_NTYPES);
}

static void key_of(char *key, size_t n, int tensor, tsr_param_role role, int level)
{
    snprintf(key, n, "%d of %d, level %d", (int)role, tensor, level);
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

/* Append the size of level l of the result of the kernel. */
static tsr_status add_level_size(tsr_text *text, several *s, const tsr_kernel *kernel, int l)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    int perm[TSR_MAX_LEVELS], place;
    if (!tsr_format_is_permutation(kt->format, perm))
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "%s is stored in blocks, and a C text of several steps has formats without blocks between "
            "them: compute %s in a kernel of its own",
            kernel->notation->tensor[0].name, kernel->notation->tensor[0].name);
    const int v = kernel->notation->result->index[perm[l]];
    if (!kernel->storage && tsr_plan_has(kernel->plan->literal, v)) {
        tsr_text_add_u64(text, kernel->size[v]);
        return TSR_OK;
    }
    TSR_TRY(size_place(&place, s, kernel->notation->var[v], kernel->size[v]));
    tsr_text_add(text, s->place[place].name);
    return TSR_OK;
}

static tsr_status add_npos(tsr_text *text, several *s, int tensor, int level);

/* Append the number of positions of level l of the tensor that step `maker` makes. */
static tsr_status add_made_npos(tsr_text *text, several *s, int tensor, int level)
{
    const int maker = s->tensor[tensor].maker;
    const tsr_kernel *const kernel = s->kernel[maker];
    char key[96];
    key_of(key, sizeof key, tensor, TSR_PARAM_CRD, level);
    const int crd = find_place(s, key);
    if (level < 0) {
        tsr_text_add(text, "1");
        return TSR_OK;
    }
    if (crd >= 0) {
        tsr_text_addf(text, "%s.n", s->place[crd].name);
        return TSR_OK;
    }
    if (level < kernel->lowered->pattern_nlevels && kernel->lowered->pattern_tensor >= 0) {
        int of;
        TSR_TRY(operand_of(&of, s, &s->scope[maker], kernel->lowered->pattern_tensor));
        return add_npos(text, s, of, level);
    }
    tsr_text up = {0};
    tsr_status status = add_made_npos(&up, s, tensor, level - 1);
    if (status == TSR_OK && strcmp(tsr_text_cstr(&up), "1") != 0)
        tsr_text_addf(text, "%s * ", tsr_text_cstr(&up));
    text->failed |= up.failed;
    tsr_text_clear(&up);
    return status == TSR_OK ? add_level_size(text, s, kernel, level) : status;
}

/* The same for any tensor: of one of the caller, the number is a parameter. */
static tsr_status add_npos(tsr_text *text, several *s, int tensor, int level)
{
    char key[96];
    if (s->tensor[tensor].maker >= 0)
        return add_made_npos(text, s, tensor, level);
    key_of(key, sizeof key, tensor, TSR_PARAM_NPOS, level);
    int place = find_place(s, key);
    if (place < 0) {
        tsr_text name = {0}, what = {0};
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
    int tensor; /* of the text; -1: none */
} text_param;

static tsr_type type_of(const text_param *p)
{
    return p->ir->array ? p->ir->array->elem : TSR_NTYPES;
}

/* The end of the name of the parameter, which follows the name of the tensor: "2_pos". */
static const char *ending_of(const text_scope *scope, const text_param *p)
{
    const tsr_kernel *const kernel = scope->kernel;
    const int t = p->of->tensor, n = kernel->notation->ntensors;
    const char *const name = t < n ? kernel->notation->tensor[t].name : kernel->plan->view[t - n].name;
    const char *const whole = p->ir->array ? p->ir->array->name : p->ir->var->name;
    return whole + strlen(name);
}

/* *out: the name of the place of a parameter: that of the tensor, for its values. */
static tsr_status name_place(const char **out, several *s, const text_scope *scope, const text_param *p)
{
    tsr_text name = {0};
    if (p->tensor >= 0 && ending_of(scope, p)[0] == '\0') {
        *out = s->tensor[p->tensor].name;
        return TSR_OK;
    }
    if (p->tensor >= 0)
        tsr_text_addf(&name, "%s%s", s->tensor[p->tensor].name, ending_of(scope, p));
    else
        tsr_text_add(&name, p->ir->array ? p->ir->array->name : p->ir->var->name);
    const char *const wanted = keep(s, &name);
    return wanted ? new_name(out, s, wanted) : out_of_memory(s);
}

/* *out: a place that the caller gives. */
static tsr_status given_place(int *out, several *s, const char *key, const text_scope *scope,
                              const text_param *p)
{
    tsr_text what = {0};
    tsr_emit_place place = {.kind = TSR_EMIT_GIVEN};
    tsr_text_add(&what, p->what);
    place.what = keep(s, &what);
    TSR_TRY(place.what ? name_place(&place.name, s, scope, p) : out_of_memory(s));
    return add_place(out, s, key, &place, type_of(p));
}

/* *out: the place of an array that the step makes which is being added. */
static tsr_status new_place(int *out, several *s, const char *key, const text_scope *scope,
                            const text_param *p)
{
    tsr_text count = {0};
    tsr_emit_place place = {.kind = TSR_EMIT_MADE};
    TSR_TRY(name_place(&place.name, s, scope, p));
    if (p->ir->array->place != TSR_IR_OUTPUT) {
        place.kind = TSR_EMIT_ROOM;
        const tsr_status status =
            add_made_npos(&count, s, p->tensor, scope->kernel->tensor[0].format->nlevels - 1);
        place.count = keep(s, &count);
        TSR_TRY(status);
        if (!place.count)
            return out_of_memory(s);
    }
    return add_place(out, s, key, &place, type_of(p));
}

/* *out: the place of an array that a step before has made, or of one that a tensor has whose levels it shares. */
static tsr_status read_place(int *out, several *s, const text_scope *scope, const text_param *p,
                             tsr_param_role role)
{
    const int maker = s->tensor[p->tensor].maker;
    const tsr_lowered *const lowered = s->kernel[maker]->lowered;
    char key[96];
    if (p->of->level >= lowered->pattern_nlevels || lowered->pattern_tensor < 0)
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "step %d, %s, does not make all arrays that a later step reads: compute it in a kernel of its "
            "own",
            maker + 1, s->kernel[maker]->text.expression);
    text_param shared = *p;
    TSR_TRY(operand_of(&shared.tensor, s, &s->scope[maker], lowered->pattern_tensor));
    key_of(key, sizeof key, shared.tensor, role, p->of->level);
    *out = find_place(s, key);
    if (*out >= 0)
        return TSR_OK;
    return s->tensor[shared.tensor].maker >= 0 ? read_place(out, s, scope, &shared, role)
                                               : given_place(out, s, key, scope, &shared);
}

/* *out: the place of a number that a step before determines. */
static tsr_status number_place(int *out, several *s, const char *key, const text_param *p)
{
    const tsr_kernel *const maker = s->kernel[s->tensor[p->tensor].maker];
    tsr_emit_place place = {.kind = TSR_EMIT_WRITTEN, .name = ""};
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    if (p->of->role == TSR_PARAM_NPOS)
        status = add_made_npos(&text, s, p->tensor, p->of->level);
    else if (p->of->role == TSR_PARAM_LOW)
        tsr_text_add(&text, "0");
    else
        status = add_level_size(&text, s, maker, p->of->level);
    place.count = keep(s, &text);
    TSR_TRY(status);
    return place.count ? add_place(out, s, key, &place, TSR_NTYPES) : out_of_memory(s);
}

/* *out: the place of a parameter of the step that is being added. */
static tsr_status place_of(int *out, several *s, const text_scope *scope, text_param *p)
{
    static const tsr_param_role as_read[] = {[TSR_PARAM_OUT_POS] = TSR_PARAM_POS,
                                             [TSR_PARAM_OUT_CRD] = TSR_PARAM_CRD,
                                             [TSR_PARAM_OUT_BITS] = TSR_PARAM_BITS,
                                             [TSR_PARAM_OUT_VALUES] = TSR_PARAM_VALUES};
    const tsr_plan *const plan = scope->kernel->plan;
    const tsr_param_role role = p->of->role >= TSR_PARAM_OUT_POS && p->of->role <= TSR_PARAM_OUT_VALUES
                                    ? as_read[p->of->role]
                                    : p->of->role;
    char key[96];
    if (role == TSR_PARAM_SIZE)
        return size_place(out, s, plan->notation->var[p->of->var], plan->size[p->of->var]);
    if (p->of->tensor >= 0)
        TSR_TRY(operand_of(&p->tensor, s, scope, p->of->tensor));
    key_of(key, sizeof key, p->tensor, role, p->of->level);
    *out = find_place(s, key);
    const bool is_made = p->tensor >= 0 && s->tensor[p->tensor].maker >= 0;
    if (*out < 0)
        TSR_TRY(!is_made             ? given_place(out, s, key, scope, p)
                : !p->ir->array      ? number_place(out, s, key, p)
                : p->of->tensor == 0 ? new_place(out, s, key, scope, p)
                                     : read_place(out, s, scope, p, role));
    if (s->is[*out].type == type_of(p))
        return TSR_OK;
    return tsr_fail(
        s->err, TSR_UNSUPPORTED,
        "step %d, %s, reads an array of %s as %s, and an earlier step makes it as %s: compute %s in a "
        "kernel of its own",
        s->calls.ncalls + 1, scope->kernel->text.expression, s->tensor[p->tensor].own,
        tsr_type_name(type_of(p)), tsr_type_name(s->is[*out].type), s->tensor[p->tensor].own);
}

/* ---- steps ---- */

/* Whether the outputs of the program are the arrays of the result. */
static tsr_status check_result(const several *s, const tsr_kernel *kernel)
{
    const bool is_list = kernel_assembles(kernel) && kernel->plan->sink == TSR_PLAN_LIST;
    if (!is_list && !(kernel_assembles(kernel) && kernel->plan->converts))
        return TSR_OK;
    return tsr_fail(
        s->err, TSR_UNSUPPORTED,
        "the C text of step %d, %s, gives a result that has to be %s, and a later step reads it: compute "
        "it in a kernel of its own",
        s->calls.ncalls + 1, kernel->text.expression, is_list ? "sorted" : "converted");
}

/* Add the program of the kernel itself. */
static tsr_status add_program(several *s, const text_scope *scope)
{
    const tsr_kernel *const kernel = scope->kernel;
    const int number = s->calls.ncalls;
    char **texts, *buffer;
    if (number == MAX_STEPS)
        return too_many(s);
    const tsr_ir *const ir = s->has_vectors ? kernel->lowered->ir : kernel->lowered->plain;
    tsr_emit_call *const call = &s->call[number];
    int *const place = tsr_arena_alloc(&s->arena, ((size_t)ir->nparams + 1) * sizeof *place);
    tsr_text name = {0};
    tsr_text_addf(&name, "%s_%d", s->function, number + 1);
    *call = (tsr_emit_call){.ir = ir, .name = keep(s, &name), .place = place};
    if (!place || !call->name)
        return out_of_memory(s);
    s->kernel[number] = kernel;
    s->scope[number] = *scope;
    if (s->tensor[scope->result].maker >= 0) {
        s->tensor[scope->result].maker = number;
        TSR_TRY(check_result(s, kernel));
    }
    TSR_TRY(kernel_param_texts(&texts, &buffer, &call->threads, kernel, s->err));
    tsr_status status = TSR_OK;
    for (int pass = 0; pass < 2;
         pass++) /* arrays whose number of elements is computed: after the lists that say it */
        for (int i = 0; i < ir->nparams && status == TSR_OK; i++) {
            text_param p = {&ir->param[i], &kernel->lowered->param[i], texts[i], -1};
            const bool is_room = p.of->tensor == 0 && p.of->role == TSR_PARAM_VALUES;
            if (is_room == (pass == 1))
                status = place_of(&place[i], s, scope, &p);
        }
    tsr_free(texts);
    tsr_free(buffer);
    s->calls.ncalls++;
    return status;
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
        TSR_TRY(add_tensor(&result, s, kernel, kernel->step[k].name, 0));
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
        const char *const copy = strchr(s->tensor[k].own, ':');
        if (copy)
            tsr_text_addf(&text, "\n%s%s", s->tensor[k].name, copy);
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
    tsr_status status = add_tensor(&result, s, NULL, kernel_notation(kernel)->tensor[0].name, -1);
    if (status == TSR_OK)
        status = add_kernel(s, kernel, NULL, result);
    if (status == TSR_OK && !(s->calls.header = header_of(s, kernel)))
        status = out_of_memory(s);
    if (status == TSR_OK)
        status = what == TSR_KERNEL_HEADER ? tsr_emit_several_header(text, &s->calls, how, err)
                                           : tsr_emit_several(text, &s->calls, how, err);
    tsr_arena_clear(&s->arena);
    tsr_free(s);
    return status;
}

/* ---- the statements that run together ---- */

static void print_group(tsr_text *text, const tsr_kernel *kernel, const kernel_group *g)
{
    const char *const row = kernel_of_statement(kernel, g->first)->text.expression;
    const int n = (int)(strcspn(row, ",)") - strcspn(row, "(") - 1);
    tsr_text_addf(text, "statements %d to %d ", g->first + 1, g->first + g->n);
    if (!g->is_fused) {
        tsr_text_addf(text,
                      "could run together over rows of %.*s, but no result between them that is dense, or "
                      "has the entries of an "
                      "operand, is larger than a cache\n",
                      n, row + strcspn(row, "(") + 1);
        return;
    }
    tsr_text_addf(text, "run together over blocks of %" PRIu64 " rows of %.*s", g->block, n,
                  row + strcspn(row, "(") + 1);
    for (int i = 0; i < g->n; i++)
        if (g->part[i].is_inside)
            tsr_text_addf(text, "; %s is kept for a block", kernel->step[g->first + i].name);
    tsr_text_add(text, "\n");
}

void kernel_print_groups(tsr_text *text, const tsr_kernel *kernel)
{
    const struct kernel_groups *const groups = kernel->groups;
    for (int i = 0; i < groups->n; i++) {
        const kernel_group *const g = &groups->group[i];
        if (groups->why[g->first])
            tsr_text_addf(text, "statement %d runs by itself: %s\n", g->first + 1, groups->why[g->first]);
        if (g->n > 1)
            print_group(text, kernel, g);
    }
}
