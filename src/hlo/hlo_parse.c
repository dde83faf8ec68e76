/* Parses HLO text (see tsr_hlo.h) by recursive descent:
 *   text        := {'HloModule' ... newline | computation | instruction}
 *   computation := ['ENTRY'] name ['(' ... ')' '->' ...] '{' {instruction} '}'
 *   instruction := ['ROOT'] name '=' [shapes] opcode '(' [operand {',' operand}] ')' {',' attribute} [';']
 *   shapes      := shape | '(' [shape {',' shape}] ')'
 *   operand     := [shapes] name
 *   attribute   := name '=' value */
#include "hlo_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_num.h"

typedef struct parser {
    tsr_hlo *hlo;
    tsr_cursor cursor;
    tsr_error *err;
} parser;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of the name at p: a letter or %, then letters, digits, '.', '-'. */
static size_t name_length(const char *p)
{
    size_t n = *p == '%';
    if (!is_letter(p[n]) && !(n == 1 && is_digit(p[n])))
        return 0;
    while (is_letter(p[n]) || is_digit(p[n]) || p[n] == '.' || (p[n] == '-' && p[n + 1] != '>'))
        n++;
    return n;
}

static const char *skip_blanks(const char *p)
{
    for (;;) {
        if (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') {
            p++;
        } else if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            return p;
        }
    }
}

/* Fail at a place of the text. */
#define FAIL_AT(ps, at, status, ...) \
    tsr_fail_at((ps)->err, (status), NULL, line_of((ps), (at)), column_of((ps), (at)), __VA_ARGS__)

static uint64_t line_of(const parser *ps, const char *at)
{
    uint64_t line = 1;
    for (const char *p = ps->cursor.start; p < at; p++)
        line += *p == '\n';
    return line;
}

static uint64_t column_of(const parser *ps, const char *at)
{
    const char *p = at;
    while (p > ps->cursor.start && p[-1] != '\n')
        p--;
    return (uint64_t)(at - p) + 1;
}

static tsr_status expected(const parser *ps, const char *at, const char *what)
{
    return tsr_fail_expected(ps->err, line_of(ps, at), column_of(ps, at), what, at, name_length(at));
}

static const char *here(parser *ps)
{
    return ps->cursor.p = skip_blanks(ps->cursor.p);
}

static bool take_if(parser *ps, char c)
{
    if (*here(ps) != c)
        return false;
    ps->cursor.p++;
    return true;
}

static tsr_status take(parser *ps, char c, const char *what)
{
    return take_if(ps, c) ? TSR_OK : expected(ps, ps->cursor.p, what);
}

/* Parse a name; it is stored without its %. */
static tsr_status take_name(const char **name, size_t *n, parser *ps, const char *what)
{
    const char *p = here(ps);
    *n = name_length(p);
    if (*n == 0)
        return expected(ps, p, what);
    ps->cursor.p += *n;
    *name = p + (*p == '%');
    *n -= *p == '%';
    return TSR_OK;
}

/* The number of bytes up to and including the bracket that closes the one at p; 0 if there is none. */
static size_t bracket_length(const char *p)
{
    size_t depth = 0, n = 0;
    do {
        const char c = p[n];
        if (c == '\0')
            return 0;
        if (c == '"') {
            for (n++; p[n] != '"'; n++)
                if (p[n] == '\0' || (p[n] == '\\' && p[++n] == '\0'))
                    return 0;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        n++;
    } while (depth > 0);
    return n;
}

static tsr_status out_of_memory(const parser *ps)
{
    return tsr_fail(ps->err, TSR_NOMEM, "out of memory for an HLO text");
}

static tsr_status allocate(void **out, parser *ps, size_t nbytes)
{
    *out = tsr_arena_alloc(&ps->hlo->arena, nbytes);
    return *out ? TSR_OK : out_of_memory(ps);
}

static tsr_status copy_name(const char **out, parser *ps, const char *name, size_t n)
{
    *out = tsr_arena_strndup(&ps->hlo->arena, name, n);
    return *out ? TSR_OK : out_of_memory(ps);
}

/* ---- shapes ---- */

static tsr_status take_shape(hlo_shape *shape, parser *ps)
{
    const char *at = here(ps);
    tsr_cursor cursor = {.start = at, .p = at};
    tsr_xla *xla;
    const tsr_status status = tsr_xla_parse_at(&xla, &cursor, ps->err);
    if (status != TSR_OK) {
        if (ps->err && status != TSR_NOMEM) { /* the error's column counts from the start of the shape */
            const uint64_t col = ps->err->col;
            ps->err->line = line_of(ps, at + (col > 0 ? col - 1 : 0));
            ps->err->col = column_of(ps, at + (col > 0 ? col - 1 : 0));
        }
        return status;
    }
    ps->cursor.p = cursor.p;
    *shape = (hlo_shape){.rank = xla->rank, .tiled = xla->ntiles > 0};
    for (int d = 0; d < xla->rank; d++) {
        shape->dims[d] = (uint64_t)xla->dims[d];
        shape->order[d] = xla->order[d];
    }
    const bool has_dims = xla->has_dims;
    tsr_xla_free(xla);
    return has_dims ? TSR_OK : expected(ps, at, "a shape with its dims");
}

/* Parse one shape, or a tuple of shapes: *n shapes in the arena. */
static tsr_status take_shapes(hlo_shape **shapes, int *n, parser *ps)
{
    hlo_shape list[TSR_MAP_MAX_VARS];
    void *copy;
    *n = 0;
    if (!take_if(ps, '(')) {
        TSR_TRY(take_shape(&list[(*n)++], ps));
    } else if (!take_if(ps, ')')) {
        do {
            if (*here(ps) == '(')
                return FAIL_AT(ps, ps->cursor.p, TSR_UNSUPPORTED, "a tuple inside a tuple is not supported");
            if (*n == TSR_MAP_MAX_VARS)
                return FAIL_AT(ps, ps->cursor.p, TSR_LIMIT, "a tuple has at most %d members",
                               TSR_MAP_MAX_VARS);
            TSR_TRY(take_shape(&list[(*n)++], ps));
        } while (take_if(ps, ','));
        TSR_TRY(take(ps, ')', "',' or ')' after a shape"));
    }
    TSR_TRY(allocate(&copy, ps, (size_t)*n * sizeof *list + 1));
    memcpy(copy, list, (size_t)*n * sizeof *list);
    *shapes = copy;
    return TSR_OK;
}

/* Whether a shape begins here: `f32[` or `(`. */
static bool at_shapes(parser *ps)
{
    const char *p = here(ps);
    return *p == '(' || (*p != '%' && name_length(p) > 0 && *skip_blanks(p + name_length(p)) == '[');
}

/* ---- names ---- */

static size_t bucket_of(const char *name, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return (h ^ h >> 15) % HLO_NBUCKETS;
}

/* The instruction with that name in a computation, or -1. */
static int find_in(const tsr_hlo *hlo, int computation, const char *name, size_t n)
{
    int i = hlo->buckets[bucket_of(name, n)];
    while (i >= 0 && (hlo->instructions[i].computation != computation ||
                      !tsr_name_is(hlo->instructions[i].name, name, n)))
        i = hlo->instructions[i].same_bucket;
    return i;
}

int hlo_find_computation(const tsr_hlo *hlo, const char *name, size_t n)
{
    for (int c = hlo->ncomputations - 1; c >= 0; c--) {
        if (tsr_name_is(hlo->computations[c].name, name, n))
            return c;
    }
    return -1;
}

/* ---- instructions ---- */

static tsr_status take_operands(hlo_instruction *in, parser *ps)
{
    int list[HLO_MAX_OPERANDS], nshapes;
    void *copy;
    if (!take_if(ps, ')')) {
        do {
            const char *name = NULL;
            size_t n;
            hlo_shape *shapes;
            if (at_shapes(ps))
                TSR_TRY(take_shapes(&shapes, &nshapes, ps));
            TSR_TRY(take_name(&name, &n, ps, "an operand"));
            if (in->noperands == HLO_MAX_OPERANDS)
                return FAIL_AT(ps, name, TSR_LIMIT, "an instruction has at most %d operands",
                               HLO_MAX_OPERANDS);
            list[in->noperands] = find_in(ps->hlo, in->computation, name, n);
            if (list[in->noperands++] < 0)
                return FAIL_AT(ps, name, TSR_SYNTAX,
                               "unknown instruction '%.*s': it must be defined before its use",
                               n > 40 ? 40 : (int)n, name);
        } while (take_if(ps, ','));
        TSR_TRY(take(ps, ')', "',' or ')' after an operand"));
    }
    TSR_TRY(allocate(&copy, ps, (size_t)in->noperands * sizeof *list + 1));
    memcpy(copy, list, (size_t)in->noperands * sizeof *list);
    in->operands = copy;
    return TSR_OK;
}

/* Parse the text in the parentheses of a constant or a parameter. */
static tsr_status take_literal(hlo_instruction *in, parser *ps)
{
    const char *open = ps->cursor.p - 1;
    const size_t n = bracket_length(open);
    if (n == 0)
        return FAIL_AT(ps, open, TSR_SYNTAX, "this '(' is not closed");
    in->literal = open + 1;
    in->literal_nbytes = n - 2;
    ps->cursor.p = open + n;
    return TSR_OK;
}

static tsr_status take_attribute(hlo_attribute ***last, parser *ps)
{
    void *node;
    TSR_TRY(allocate(&node, ps, sizeof(hlo_attribute)));
    hlo_attribute *a = node;
    TSR_TRY(take_name(&a->name, &a->name_nbytes, ps, "an attribute"));
    TSR_TRY(take(ps, '=', "'=' after the name of an attribute"));
    const char *p = here(ps);
    a->value = p;
    while (*p != '\0' && !strchr(",; \t\r\n})]", *p)) {
        const size_t n = strchr("({[\"", *p) ? bracket_length(p) : 1;
        if (n == 0)
            return FAIL_AT(ps, p, TSR_SYNTAX, "this '%c' is not closed", *p);
        p += n;
    }
    a->value_nbytes = (size_t)(p - a->value);
    if (a->value_nbytes == 0)
        return expected(ps, p, "the value of an attribute");
    ps->cursor.p = p;
    **last = a;
    *last = &a->next;
    return TSR_OK;
}

static tsr_status grow(void **array, int n, int *capacity, size_t size, parser *ps)
{
    if (n < *capacity)
        return TSR_OK;
    if (n >= HLO_MAX_INSTRUCTIONS)
        return FAIL_AT(ps, ps->cursor.p, TSR_LIMIT, "an HLO text has at most %d instructions",
                       HLO_MAX_INSTRUCTIONS);
    const int next = *capacity > 0 ? *capacity * 2 : 16;
    void *grown = tsr_realloc(*array, (size_t)next * size);
    if (!grown)
        return out_of_memory(ps);
    *array = grown;
    *capacity = next;
    return TSR_OK;
}

/* Add the instruction; its computation is in `computations` already. */
static tsr_status add_instruction(parser *ps, const hlo_instruction *in, bool marked, const char *at)
{
    tsr_hlo *hlo = ps->hlo;
    hlo_computation *c = &hlo->computations[in->computation];
    const size_t n = strlen(in->name), bucket = bucket_of(in->name, n);
    if (find_in(hlo, in->computation, in->name, n) >= 0)
        return FAIL_AT(ps, at, TSR_SYNTAX, "there are two instructions '%.40s'", in->name);
    if (marked && c->marked)
        return FAIL_AT(ps, at, TSR_SYNTAX, "a computation can have only one ROOT");
    void *array = hlo->instructions;
    const tsr_status status =
        grow(&array, hlo->ninstructions, &hlo->instructions_capacity, sizeof *hlo->instructions, ps);
    hlo->instructions = array;
    TSR_TRY(status);
    const int i = hlo->ninstructions++;
    hlo->instructions[i] = *in;
    hlo->instructions[i].same_bucket = hlo->buckets[bucket];
    hlo->buckets[bucket] = i;
    c->end = hlo->ninstructions;
    if (marked || !c->marked)
        c->root = i;
    c->marked |= marked;
    return TSR_OK;
}

static bool is(const char *word, const char *want)
{
    return strcmp(word, want) == 0;
}

/* XLA's documents leave out the shape of a dynamic slice, which follows from its sizes. */
static tsr_status infer_shape(hlo_instruction *in, parser *ps, const char *at)
{
    int64_t sizes[TSR_XLA_MAX_RANK];
    void *shape;
    int n = 0;
    if (is(in->opcode, "dynamic-slice"))
        TSR_TRY(hlo_ints(sizes, &n, TSR_XLA_MAX_RANK, in, "dynamic_slice_sizes", ps->err));
    if (n == 0)
        return FAIL_AT(ps, at, TSR_SYNTAX, "expected the shape of '%.40s', not '%.40s'", in->name,
                       in->opcode);
    TSR_TRY(allocate(&shape, ps, sizeof(hlo_shape)));
    in->shapes = shape;
    in->noutputs = 1;
    in->shapes->rank = n;
    for (int d = 0; d < n; d++) {
        in->shapes->dims[d] = (uint64_t)sizes[d];
        in->shapes->order[d] = n - 1 - d;
    }
    return TSR_OK;
}

/* Parse the part of an instruction after `name =`. */
static tsr_status take_definition(parser *ps, int computation, const char *name, size_t n, bool marked)
{
    hlo_instruction in = {.computation = computation};
    hlo_attribute **last = &in.attributes;
    const char *opcode = NULL;
    size_t opcode_nbytes;
    TSR_TRY(copy_name(&in.name, ps, name, n));
    const bool has_shape = at_shapes(ps);
    if (has_shape)
        TSR_TRY(take_shapes(&in.shapes, &in.noutputs, ps));
    const char *at = here(ps);
    TSR_TRY(take_name(&opcode, &opcode_nbytes, ps, "an operation"));
    TSR_TRY(copy_name(&in.opcode, ps, opcode, opcode_nbytes));
    TSR_TRY(take(ps, '(', "'(' after an operation"));
    if (is(in.opcode, "constant") || is(in.opcode, "parameter"))
        TSR_TRY(take_literal(&in, ps));
    else
        TSR_TRY(take_operands(&in, ps));
    while (take_if(ps, ','))
        TSR_TRY(take_attribute(&last, ps));
    while (take_if(ps, ';'))
        continue;
    if (!has_shape)
        TSR_TRY(infer_shape(&in, ps, at));
    return add_instruction(ps, &in, marked, name);
}

/* ---- computations ---- */

static tsr_status add_computation(int *out, parser *ps, const char *name, size_t n, bool entry)
{
    tsr_hlo *hlo = ps->hlo;
    hlo_computation c = {.first = hlo->ninstructions, .end = hlo->ninstructions, .root = -1, .entry = entry};
    if (name)
        TSR_TRY(copy_name(&c.name, ps, name, n));
    void *array = hlo->computations;
    const tsr_status status =
        grow(&array, hlo->ncomputations, &hlo->computations_capacity, sizeof *hlo->computations, ps);
    hlo->computations = array;
    TSR_TRY(status);
    *out = hlo->ncomputations++;
    hlo->computations[*out] = c;
    return TSR_OK;
}

/* Take the word ROOT or ENTRY if a name follows; both may also be names themselves. */
static bool take_word(parser *ps, const char *word)
{
    const char *p = here(ps);
    const size_t n = strlen(word);
    if (name_length(p) != n || memcmp(p, word, n) != 0 || name_length(skip_blanks(p + n)) == 0)
        return false;
    ps->cursor.p = p + n;
    return true;
}

static tsr_status take_instruction(parser *ps, int computation)
{
    const bool marked = take_word(ps, "ROOT");
    const char *name = NULL;
    size_t n = 0;
    TSR_TRY(take_name(&name, &n, ps, "an instruction"));
    TSR_TRY(take(ps, '=', "'=' after the name of an instruction"));
    return take_definition(ps, computation, name, n, marked);
}

/* Skip (p0: f32[4]) -> f32[4], since the instructions repeat it. */
static tsr_status skip_signature(parser *ps)
{
    int nshapes;
    hlo_shape *shapes;
    if (*here(ps) != '(')
        return TSR_OK;
    const size_t n = bracket_length(ps->cursor.p);
    if (n == 0)
        return FAIL_AT(ps, ps->cursor.p, TSR_SYNTAX, "this '(' is not closed");
    ps->cursor.p += n;
    TSR_TRY(take(ps, '-', "'->'"));
    TSR_TRY(take(ps, '>', "'->'"));
    return take_shapes(&shapes, &nshapes, ps);
}

static tsr_status take_computation(parser *ps, const char *name, size_t n, bool entry)
{
    int c;
    TSR_TRY(add_computation(&c, ps, name, n, entry));
    TSR_TRY(skip_signature(ps));
    TSR_TRY(take(ps, '{', "'=' after the name of an instruction, or '{' after that of a computation"));
    while (!take_if(ps, '}'))
        TSR_TRY(take_instruction(ps, c));
    if (ps->hlo->computations[c].root < 0)
        return FAIL_AT(ps, name, TSR_SYNTAX, "computation '%.*s' has no instructions", n > 40 ? 40 : (int)n,
                       name);
    while (take_if(ps, ';'))
        continue;
    return TSR_OK;
}

static tsr_status take_text(parser *ps)
{
    int outside = -1; /* the computation that holds the instructions outside braces */
    while (*here(ps) != '\0') {
        if (take_word(ps, "HloModule")) {
            ps->cursor.p += strcspn(ps->cursor.p, "\n");
            continue;
        }
        const bool entry = take_word(ps, "ENTRY"), marked = !entry && take_word(ps, "ROOT");
        const char *name = NULL;
        size_t n;
        TSR_TRY(take_name(&name, &n, ps, "an instruction or a computation"));
        if (entry || (!marked && *here(ps) != '=')) {
            TSR_TRY(take_computation(ps, name, n, entry));
            continue;
        }
        TSR_TRY(take(ps, '=', "'=' after the name of an instruction"));
        if (outside < 0)
            TSR_TRY(add_computation(&outside, ps, NULL, 0, false));
        TSR_TRY(take_definition(ps, outside, name, n, marked));
    }
    if (ps->hlo->ninstructions == 0)
        return expected(ps, ps->cursor.p, "an instruction");
    ps->hlo->entry = outside >= 0 ? outside : ps->hlo->ncomputations - 1;
    for (int c = ps->hlo->ncomputations - 1; c >= 0; c--)
        if (ps->hlo->computations[c].entry)
            ps->hlo->entry = c;
    return TSR_OK;
}

tsr_status tsr_hlo_parse(tsr_hlo **out, const char *text, tsr_error *err)
{
    *out = NULL;
    tsr_hlo *hlo = tsr_calloc(1, sizeof *hlo);
    if (hlo)
        hlo->text = tsr_strdup(text);
    if (!hlo || !hlo->text) {
        tsr_hlo_free(hlo);
        return tsr_fail(err, TSR_NOMEM, "out of memory for an HLO text");
    }
    for (int b = 0; b < HLO_NBUCKETS; b++)
        hlo->buckets[b] = -1;
    parser ps = {.hlo = hlo, .cursor = {.start = hlo->text, .p = hlo->text}, .err = err};
    const tsr_status status = take_text(&ps);
    if (status != TSR_OK) {
        tsr_hlo_free(hlo);
        return status;
    }
    *out = hlo;
    return TSR_OK;
}

void tsr_hlo_free(tsr_hlo *hlo)
{
    if (!hlo)
        return;
    tsr_arena_clear(&hlo->arena);
    tsr_free(hlo->text);
    tsr_free(hlo->instructions);
    tsr_free(hlo->computations);
    tsr_free(hlo);
}

/* ---- queries ---- */

int tsr_hlo_root(const tsr_hlo *hlo)
{
    return hlo->computations[hlo->entry].root;
}

int tsr_hlo_ninstructions(const tsr_hlo *hlo)
{
    return hlo->ninstructions;
}

int tsr_hlo_find(const tsr_hlo *hlo, const char *name)
{
    int i = hlo->ninstructions - 1;
    while (i >= 0 && !is(hlo->instructions[i].name, name))
        i--;
    return i;
}

const char *tsr_hlo_name(const tsr_hlo *hlo, int instruction)
{
    return hlo->instructions[instruction].name;
}

const char *tsr_hlo_opcode(const tsr_hlo *hlo, int instruction)
{
    return hlo->instructions[instruction].opcode;
}

int tsr_hlo_noperands(const tsr_hlo *hlo, int instruction)
{
    return hlo->instructions[instruction].noperands;
}

int tsr_hlo_operand(const tsr_hlo *hlo, int instruction, int operand)
{
    return hlo->instructions[instruction].operands[operand];
}

int tsr_hlo_noutputs(const tsr_hlo *hlo, int instruction)
{
    return hlo->instructions[instruction].noutputs;
}

int tsr_hlo_dims(uint64_t *dims, const tsr_hlo *hlo, int instruction, int output)
{
    const hlo_shape *shape = &hlo->instructions[instruction].shapes[output];
    for (int d = 0; dims && d < shape->rank; d++)
        dims[d] = shape->dims[d];
    return shape->rank;
}
