/* A function that runs several programs, each a static function behind it, in order. What one program makes for those after it is
 * freed in one place, behind the label `end`, which a program that fails jumps to. */
#include <string.h>

#include "emit_internal.h"

/* The parameters of the function, and the texts around it. */
typedef struct several {
    emit e;
    const tsr_emit_calls *of;
    const char **
        type; /* of each place, as a declaration of a variable: "double *"; NULL: no program has had it yet */
    const char **param; /* of each place that is a parameter: "const double *restrict A" */
    bool *is_output;    /* of each place: a parameter through which the function gives an array */
    tsr_text calls;     /* the statements of the function */
    tsr_text functions;
} several;

static void note_place(several *s, const tsr_emit_call *call, int i, bool in_header)
{
    const int k = call->place[i];
    const tsr_ir_param *const p = &call->ir->param[i];
    tsr_text text = {0};
    if (s->type[k])
        return;
    s->is_output[k] = p->array && p->array->place == TSR_IR_OUTPUT;
    emit_put_param(&s->e, &text, p, s->of->place[k].name, in_header);
    s->param[k] = emit_keep(&s->e, &text);
    s->type[k] = p->array ? emit_element_type(&s->e, p->array) : "";
}

/* Append the argument for parameter i. */
static void put_argument(const several *s, tsr_text *out, const tsr_emit_call *call, int i)
{
    const tsr_emit_place *const place = &s->of->place[call->place[i]];
    const tsr_ir_array *const array = call->ir->param[i].array;
    if (place->kind == TSR_EMIT_WRITTEN)
        tsr_text_add(out, place->count);
    else if (place->kind == TSR_EMIT_MADE && array->place == TSR_IR_OUTPUT)
        tsr_text_addf(out, "&%s", place->name);
    else if (place->kind == TSR_EMIT_MADE && s->e.options.cxx)
        tsr_text_addf(out, "(%s *)%s.data", s->type[call->place[i]], place->name);
    else if (place->kind == TSR_EMIT_MADE)
        tsr_text_addf(out, "%s.data", place->name);
    else
        tsr_text_addf(out, "%s%s", place->name, s->is_output[call->place[i]] ? "_out" : "");
}

/* Append the statement that ends the function after a failure. */
static void put_failure(emit *e)
{
    tsr_text_add(&e->line, "    goto end;");
    emit_flush(e);
}

/* Append the checks of what the program made: 32 bits hold the positions, and nothing was refused. */
static void put_check(several *s, const tsr_emit_call *call)
{
    bool is_narrow = false;
    for (int i = 0; i < call->ir->nparams; i++) {
        const tsr_ir_array *const a = call->ir->param[i].array;
        const tsr_emit_place *const place = &s->of->place[call->place[i]];
        is_narrow = is_narrow || (a && a->place == TSR_IR_OUTPUT && a->is_index && a->elem == TSR_U32);
        if (!place->refuses)
            continue;
        tsr_text_addf(&s->e.line, "if (%s.n > 0) /* %s */", place->name, place->refuses);
        emit_flush(&s->e);
        put_failure(&s->e);
    }
    for (int i = 0; i < call->ir->nparams && is_narrow; i++) {
        const tsr_ir_array *const a = call->ir->param[i].array;
        const tsr_emit_place *const place = &s->of->place[call->place[i]];
        if (!a || a->place != TSR_IR_OUTPUT || a->is_index || place->kind != TSR_EMIT_MADE)
            continue;
        tsr_text_addf(&s->e.line, "if (%s.n > UINT32_MAX) /* more than positions of 32 bits hold */",
                      place->name);
        emit_flush(&s->e);
        put_failure(&s->e);
    }
}

/* Append the statements that run a program: the arrays that it fills are allocated before. */
static void put_call(several *s, const tsr_emit_call *call)
{
    emit *const e = &s->e;
    for (int i = 0; i < call->ir->nparams; i++) {
        const int k = call->place[i];
        const tsr_emit_place *const place = &s->of->place[k];
        if (place->kind != TSR_EMIT_ROOM || s->type[k])
            continue;
        note_place(s, call, i, false);
        emit_use(e, EMIT_new_array, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
        if (strchr(place->count, '*')) {
            tsr_text_addf(&e->line, "if (1.0 * %s > 1e18) /* bytes cannot be counted */", place->count);
            emit_flush(e);
            put_failure(e);
        }
        tsr_text_addf(&e->line, "%s = ", place->name);
        if (e->options.cxx)
            tsr_text_addf(&e->line, "(%s *)", s->type[k]);
        tsr_text_addf(&e->line, "new_array(%s, sizeof *%s);", place->count, place->name);
        emit_flush(e);
        tsr_text_addf(&e->line, "if (!%s)", place->name);
        emit_flush(e);
        put_failure(e);
    }
    const bool is_last = call == s->of->call + s->of->ncalls - 1;
    tsr_text_addf(&e->line, "%s%s(", is_last ? "failed = " : "if (", call->name);
    for (int i = 0; i < call->ir->nparams; i++) {
        tsr_text_add(&e->line, i ? ", " : "");
        put_argument(s, &e->line, call, i);
    }
    tsr_text_add(&e->line, is_last ? ");" : "))");
    emit_flush(e);
    if (!is_last)
        put_failure(e);
    put_check(s, call);
}

/* Write the function of each program, and the calls of them. */
static void put_programs(several *s)
{
    emit *const e = &s->e;
    for (int c = 0; c < s->of->ncalls && e->status == TSR_OK; c++) {
        const tsr_emit_call *const call = &s->of->call[c];
        e->options.threads = call->threads;
        emit_open(e, call->ir, call->name);
        if (e->status != TSR_OK)
            return;
        if (call->ir->header)
            emit_put_lines(&s->functions, call->ir->header);
        emit_put_function(e, &s->functions, "static ");
        tsr_text_add(&s->functions, "\n");
        for (int i = 0; i < call->ir->nparams; i++)
            if (s->of->place[call->place[i]].kind != TSR_EMIT_ROOM)
                note_place(s, call, i, false);
        tsr_text_clear(&e->body);
        e->body = s->calls;
        e->depth = 1;
        put_call(s, call);
        s->calls = e->body;
        e->body = (tsr_text){0};
    }
}

/* Numbers stand first in the signature, then arrays that are written, then arrays that are read. */
static int part_of(const several *s, int k)
{
    const bool is_number = !s->type[k] || !s->type[k][0];
    return is_number ? 0 : strncmp(s->param[k], "const ", 6) != 0 ? 1 : 2;
}

/* Append the signature; collect the names and texts of the parameters for the comment. */
static void put_signature(several *s, tsr_text *out, tsr_text *comment, const char *before)
{
    const size_t n = (size_t)s->of->nplaces;
    const char **const param = emit_alloc(&s->e, n, sizeof *param),
                       **const name = emit_alloc(&s->e, n, sizeof *name),
                       **const what = emit_alloc(&s->e, n, sizeof *what);
    int count = 0;
    if (s->e.status != TSR_OK)
        return;
    for (int part = 0; part < 3; part++) /* numbers, what is written, what is read */
        for (int k = 0; k < s->of->nplaces; k++) {
            const tsr_emit_place *const place = &s->of->place[k];
            if (place->kind != TSR_EMIT_GIVEN || part != part_of(s, k))
                continue;
            tsr_text text = {0};
            tsr_text_addf(&text, "int64_t %s", place->name); /* a size that only the function itself reads */
            param[count] = s->param[k] ? s->param[k] : emit_keep(&s->e, &text);
            name[count] = s->is_output[k] ? emit_name_with(&s->e, place->name, "_out") : place->name;
            what[count++] = place->what;
            tsr_text_clear(&text);
        }
    emit_put_signature(out, before, s->of->name, param, count);
    emit_put_param_comment(comment, name, what, count);
}

/* Append declarations of what programs make. */
static void put_declarations(several *s, tsr_text *out)
{
    for (int k = 0; k < s->of->nplaces; k++) {
        const tsr_emit_place *const place = &s->of->place[k];
        if (place->kind == TSR_EMIT_MADE)
            tsr_text_addf(out, "    tsr_rt_output %s = {NULL, 0};\n", place->name);
        else if (place->kind == TSR_EMIT_ROOM && s->type[k])
            tsr_text_addf(out, "    %s *%s = NULL;\n", s->type[k], place->name);
    }
    tsr_text_add(out, "    int failed = 1;\n");
}

static void put_end(const several *s, tsr_text *out)
{
    tsr_text_add(out, "end:\n");
    for (int k = s->of->nplaces - 1; k >= 0; k--)
        if (s->of->place[k].kind == TSR_EMIT_MADE)
            tsr_text_addf(out, "    free(%s.data);\n", s->of->place[k].name);
        else if (s->of->place[k].kind == TSR_EMIT_ROOM && s->type[k])
            tsr_text_addf(out, "    free(%s);\n", s->of->place[k].name);
    tsr_text_add(out, "    return failed;\n}\n");
}

/* Begin: the tables of the places. */
static void begin(several *s, const tsr_emit_calls *calls, const tsr_emit_options *options, tsr_error *err)
{
    const size_t n = (size_t)calls->nplaces;
    *s = (several){.of = calls};
    emit_start(&s->e, options, err);
    s->e.options.entry = false;
    s->type = emit_alloc(&s->e, n, sizeof *s->type);
    s->param = emit_alloc(&s->e, n, sizeof *s->param);
    s->is_output = emit_alloc(&s->e, n, sizeof *s->is_output);
}

tsr_status tsr_emit_several(tsr_text *text, const tsr_emit_calls *calls, const tsr_emit_options *options,
                            tsr_error *err)
{
    tsr_text kernel = {0}, comment = {0};
    several s;
    begin(&s, calls, options, err);
    put_programs(&s);
    if (s.e.status == TSR_OK) {
        s.e.uses_null = true;
        put_signature(&s, &kernel, &comment, "");
        tsr_text_add(&kernel, "\n{\n");
        put_declarations(&s, &kernel);
        tsr_text_add(&kernel, tsr_text_cstr(&s.calls));
        put_end(&s, &kernel);
        s.e.name = calls->name; /* of the header that the text includes */
        emit_put_contract(&s.e, text, calls->header, calls->name);
        emit_put_text(&s.e, text, &kernel, &s.functions, &comment);
        text->failed |= s.calls.failed;
    }
    tsr_text_clear(&kernel);
    tsr_text_clear(&comment);
    tsr_text_clear(&s.calls);
    tsr_text_clear(&s.functions);
    return emit_finish(&s.e, text);
}

tsr_status tsr_emit_several_header(tsr_text *text, const tsr_emit_calls *calls,
                                   const tsr_emit_options *options, tsr_error *err)
{
    tsr_text comment = {0}, signature = {0};
    several s;
    begin(&s, calls, options, err);
    for (int c = 0; c < calls->ncalls && s.e.status == TSR_OK; c++) {
        emit_open(&s.e, calls->call[c].ir, calls->call[c].name);
        for (int i = 0; i < calls->call[c].ir->nparams && s.e.status == TSR_OK; i++)
            if (calls->place[calls->call[c].place[i]].kind == TSR_EMIT_GIVEN)
                note_place(&s, &calls->call[c], i, true);
    }
    if (s.e.status == TSR_OK) {
        put_signature(&s, &signature, &comment, "");
        emit_comment(text, 0, calls->header);
        emit_put_header(&s.e, text, calls->name, &comment, &signature);
    }
    tsr_text_clear(&comment);
    tsr_text_clear(&signature);
    return emit_finish(&s.e, text);
}
