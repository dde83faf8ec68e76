/* A map as C11. Digits, minima and products that are used several times are computed once and get a name. */
#include "map_internal.h"

#include <string.h>

#include "tsr_alloc.h"

typedef struct emitter {
    tsr_text *text;
    const tsr_map *map;
    int *uses;  /* number of uses, by id of the atom */
    int *named; /* number of the name + 1, 0 without a name, by id of the atom */
    int nnamed;
    char names[TSR_MAP_MAX_VARS][72];
} emitter;

/* ---- names ---- */

static bool is_taken(const char *name)
{
    static const char *const words[] = {
        "alignas",  "alignof",  "auto",     "bool",   "break",        "case",         "char",    "const",
        "continue", "default",  "do",       "double", "else",         "enum",         "extern",  "false",
        "float",    "for",      "goto",     "if",     "inline",       "int",          "int64_t", "long",
        "noreturn", "register", "restrict", "result", "return",       "short",        "signed",  "sizeof",
        "static",   "struct",   "switch",   "true",   "typedef",      "uint64_t",     "union",   "unsigned",
        "void",     "volatile", "while",    "main",   "thread_local", "static_assert"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return strncmp(name, "tsr_", 4) == 0 || name[0] == '_' ||
           (name[0] == 't' && name[1] >= '0' && name[1] <= '9');
}

/* Choose the name of variable v in C: its own name, cut if long, with underscores appended while it is in
 * use. */
static void choose_name(emitter *em, int v, const char *function)
{
    char *name = em->names[v];
    size_t n = strlen(em->map->vars[v].name);
    n = n > 48 ? 48 : n;
    memcpy(name, em->map->vars[v].name, n);
    name[n] = '\0';
    if (name[0] == '_') {
        memmove(name + 1, name, n + 1);
        name[0] = 'v';
    }
    for (bool clash = true; clash && strlen(name) < sizeof em->names[v] - 1;) {
        clash = is_taken(name) || strcmp(name, function) == 0;
        for (int u = 0; u < v; u++)
            clash |= strcmp(name, em->names[u]) == 0;
        if (clash)
            strcat(name, "_");
    }
}

/* ---- counting ---- */

static void count_linear(emitter *em, const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        if (em->uses[a->node.id]++ == 0) {
            if (a->x)
                count_linear(em, a->x);
            if (a->y)
                count_linear(em, a->y);
        }
    }
}

/* ---- expressions ---- */

static void emit_linear(emitter *em, const tsr_linear *x);

/* Emit x as an operand: in parentheses unless it is one word. */
static void emit_operand(emitter *em, const tsr_linear *x)
{
    const tsr_atom *atom = tsr_linear_as_atom(x);
    const bool bare =
        (x->n == 0 && x->c >= 0) || (atom && (atom->kind == TSR_ATOM_VAR || em->named[atom->node.id] ||
                                              atom->kind == TSR_ATOM_MIN || atom->kind == TSR_ATOM_MAX));
    tsr_text_add(em->text, bare ? "" : "(");
    emit_linear(em, x);
    tsr_text_add(em->text, bare ? "" : ")");
}

static void emit_call(emitter *em, const char *function, const tsr_linear *x, const tsr_linear *y, int64_t c)
{
    tsr_text_addf(em->text, "%s(", function);
    emit_linear(em, x);
    tsr_text_add(em->text, ", ");
    if (y)
        emit_linear(em, y);
    else
        tsr_text_add_i64(em->text, c);
    tsr_text_add(em->text, ")");
}

static void emit_atom(emitter *em, const tsr_atom *atom)
{
    const bool division = atom->kind == TSR_ATOM_FLOORDIV || atom->kind == TSR_ATOM_MOD;
    if (atom->kind == TSR_ATOM_VAR) {
        tsr_text_add(em->text, em->names[atom->var]);
    } else if (em->named[atom->node.id]) {
        tsr_text_addf(em->text, "t%d", em->named[atom->node.id] - 1);
    } else if (division && tsr_interval_of(atom->x, em->map->vars, false).lo >=
                               0) { /* C's division rounds the same way */
        emit_operand(em, atom->x);
        tsr_text_add(em->text, atom->kind == TSR_ATOM_FLOORDIV ? " / " : " % ");
        tsr_text_add_i64(em->text, atom->c);
    } else if (atom->kind == TSR_ATOM_PRODUCT) {
        emit_operand(em, atom->x);
        tsr_text_add(em->text, " * ");
        emit_operand(em, atom->y);
    } else {
        emit_call(em,
                  atom->kind == TSR_ATOM_FLOORDIV ? "tsr_floordiv"
                  : atom->kind == TSR_ATOM_MOD    ? "tsr_mod"
                  : atom->kind == TSR_ATOM_MIN    ? "tsr_min"
                                                  : "tsr_max",
                  atom->x, atom->y, atom->c);
    }
}

/* Whether the text of the atom binds tighter than a product. */
static bool is_word(const emitter *em, const tsr_atom *atom)
{
    return atom->kind == TSR_ATOM_VAR || em->named[atom->node.id] || atom->kind == TSR_ATOM_MIN ||
           atom->kind == TSR_ATOM_MAX;
}

static void emit_linear(emitter *em, const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *atom = x->t[i].atom;
        int64_t k = x->t[i].k;
        if (i > 0) {
            tsr_text_add(em->text, k < 0 ? " - " : " + ");
            k = k < 0 ? -k : k;
        }
        const bool bare = k == 1 || is_word(em, atom);
        tsr_text_add(em->text, k == -1 ? "-" : "");
        tsr_text_add(em->text, bare ? "" : "(");
        emit_atom(em, atom);
        tsr_text_add(em->text, bare ? "" : ")");
        if (k != 1 && k != -1) {
            tsr_text_add(em->text, " * ");
            tsr_text_add_i64(em->text, k);
        }
    }
    if (x->n == 0) {
        tsr_text_add_i64(em->text, x->c);
    } else if (x->c != 0) {
        tsr_text_add(em->text, x->c < 0 ? " - " : " + ");
        tsr_text_add_i64(em->text, x->c < 0 ? -x->c : x->c);
    }
}

/* Give names to atoms that x uses several times, inner atoms first. */
static void name_atoms(emitter *em, const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        if (a->kind == TSR_ATOM_VAR || em->named[a->node.id])
            continue;
        if (a->x)
            name_atoms(em, a->x);
        if (a->y)
            name_atoms(em, a->y);
        if (em->uses[a->node.id] < 2)
            continue;
        tsr_text_addf(em->text, "    const int64_t t%d = ", em->nnamed);
        emit_atom(em, a);
        tsr_text_add(em->text, ";\n");
        em->named[a->node.id] = ++em->nnamed;
    }
}

/* ---- functions ---- */

static const char HELPERS[] =
    "#ifndef TSR_MAP_C\n"
    "#define TSR_MAP_C\n"
    "static inline int64_t tsr_floordiv(int64_t x, int64_t c) /* rounds down; c > 0 */\n"
    "{\n"
    "    return x / c - (x % c < 0);\n"
    "}\n"
    "static inline int64_t tsr_mod(int64_t x, int64_t c) /* in [0, c) */\n"
    "{\n"
    "    return x % c + (x % c < 0 ? c : 0);\n"
    "}\n"
    "static inline int64_t tsr_min(int64_t x, int64_t y)\n"
    "{\n"
    "    return x < y ? x : y;\n"
    "}\n"
    "static inline int64_t tsr_max(int64_t x, int64_t y)\n"
    "{\n"
    "    return x > y ? x : y;\n"
    "}\n"
    "#endif\n";

static void emit_parameters(emitter *em)
{
    for (int v = 0; v < em->map->nvars; v++)
        tsr_text_addf(em->text, "%sint64_t %s", v > 0 ? ", " : "", em->names[v]);
}

/* Start a function that uses these variables; names are numbered from 0 in each function. */
static void start_body(emitter *em, uint64_t used)
{
    memset(em->uses, 0, (size_t)em->map->pool.atoms.n * sizeof *em->uses);
    memset(em->named, 0, (size_t)em->map->pool.atoms.n * sizeof *em->named);
    em->nnamed = 0;
    tsr_text_add(em->text, ")\n{\n");
    for (int v = 0; v < em->map->nvars; v++)
        if (!(used >> v & 1))
            tsr_text_addf(em->text, "    (void)%s;\n", em->names[v]);
}

static void emit_results(emitter *em, const char *function)
{
    const tsr_map *map = em->map;
    tsr_text_addf(em->text, "void %s(int64_t *result%s", function, map->nvars > 0 ? ", " : "");
    emit_parameters(em);
    uint64_t used = 0;
    for (int r = 0; r < map->nresults; r++)
        used |= tsr_linear_vars(map->results[r]);
    start_body(em, used);
    for (int r = 0; r < map->nresults; r++)
        count_linear(em, map->results[r]);
    for (int r = 0; r < map->nresults; r++)
        name_atoms(em, map->results[r]);
    tsr_text_add(em->text, map->nresults == 0 ? "    (void)result;\n" : "");
    for (int r = 0; r < map->nresults; r++) {
        tsr_text_addf(em->text, "    result[%d] = ", r);
        emit_linear(em, map->results[r]);
        tsr_text_add(em->text, ";\n");
    }
    tsr_text_add(em->text, "}\n");
}

static void emit_end(emitter *em, bool *any, const tsr_linear *x, const char *name, const char *compare,
                     int64_t end)
{
    if (end == INT64_MIN || end == INT64_MAX)
        return;
    tsr_text_add(em->text, *any ? " &&\n           " : "    return ");
    *any = true;
    if (name)
        tsr_text_add(em->text, name);
    else
        emit_linear(em, x);
    tsr_text_add(em->text, compare);
    tsr_text_add_i64(em->text, end);
}

static void emit_inside(emitter *em, const char *function)
{
    const tsr_map *map = em->map;
    bool any = false;
    tsr_text_addf(em->text, "int %s_inside(%s", function, map->nvars > 0 ? "" : "void");
    emit_parameters(em);
    if (tsr_map_is_known_empty(map)) {
        start_body(em, 0);
        tsr_text_add(em->text, "    return 0;\n}\n");
        return;
    }
    uint64_t used = 0;
    for (int v = 0; v < map->nvars; v++)
        used |= (uint64_t)(map->vars[v].bounds.lo != INT64_MIN || map->vars[v].bounds.hi != INT64_MAX) << v;
    for (int c = 0; c < map->nconstraints; c++)
        used |= tsr_linear_vars(map->constraints[c].x);
    start_body(em, used);
    for (int v = 0; v < map->nvars; v++) {
        emit_end(em, &any, NULL, em->names[v], " >= ", map->vars[v].bounds.lo);
        emit_end(em, &any, NULL, em->names[v], " <= ", map->vars[v].bounds.hi);
    }
    for (int c = 0; c < map->nconstraints; c++) {
        emit_end(em, &any, map->constraints[c].x, NULL, " >= ", map->constraints[c].in.lo);
        emit_end(em, &any, map->constraints[c].x, NULL, " <= ", map->constraints[c].in.hi);
    }
    tsr_text_add(em->text, any ? ";\n}\n" : "    return 1;\n}\n");
}

static tsr_status check(const tsr_map *map, const char *function, tsr_error *err)
{
    bool counts = false;
    for (int r = 0; r < map->nresults; r++)
        counts |= tsr_linear_has_counter(map->results[r]);
    for (int c = 0; c < map->nconstraints; c++)
        counts |= tsr_linear_has_counter(map->constraints[c].x);
    if (counts)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "a map with a counter cannot be written as a C function of one entry");
    const size_t n = strspn(function, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (n == 0 || function[n] != '\0' || (function[0] >= '0' && function[0] <= '9') || is_taken(function))
        return tsr_fail(err, TSR_ARGUMENT, "'%.60s' is not a valid name for a C function", function);
    return TSR_OK;
}

tsr_status tsr_map_emit_c(tsr_text *text, const tsr_map *map, const char *function, tsr_error *err)
{
    void *uses, *named = NULL;
    TSR_TRY(check(map, function, err));
    TSR_TRY(tsr_alloc_array(&uses, (uint64_t)map->pool.atoms.n + 1, sizeof(int), 1, "writing a map", err));
    tsr_status status =
        tsr_alloc_array(&named, (uint64_t)map->pool.atoms.n + 1, sizeof(int), 1, "writing a map", err);
    if (status == TSR_OK) {
        emitter em = {.text = text, .map = map, .uses = uses, .named = named};
        for (int v = 0; v < map->nvars; v++)
            choose_name(&em, v, function);
        tsr_text_add(text, "#include <stdint.h>\n\n");
        tsr_text_add(text, HELPERS);
        tsr_text_add(text, "\n/* ");
        tsr_map_print(text, map);
        tsr_text_add(text, " */\n");
        emit_results(&em, function);
        tsr_text_add(text, "\n/* Whether the point is in the domain. */\n");
        emit_inside(&em, function);
        status = tsr_text_status(text, err);
    }
    tsr_free(uses);
    tsr_free(named);
    return status;
}
