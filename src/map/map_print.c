/* The canonical text of maps and expressions: what map_parse.c reads back as the same map. */
#include "map_internal.h"

static void print_name(tsr_text *text, const tsr_map *map, int var, const char *const *names)
{
    char canonical[16];
    tsr_text_add(text, names ? names[var] : tsr_map_canonical_name(canonical, map, var));
}

/* Print x in parentheses, unless it is a plain variable, min or max. */
static void print_operand(tsr_text *text, const tsr_map *map, const tsr_linear *x, const char *const *names)
{
    const tsr_atom *inner = tsr_linear_as_atom(x);
    const bool bare =
        inner && (inner->kind == TSR_ATOM_VAR || inner->kind == TSR_ATOM_MIN || inner->kind == TSR_ATOM_MAX);
    tsr_text_add(text, bare ? "" : "(");
    tsr_linear_print(text, map, x, names);
    tsr_text_add(text, bare ? "" : ")");
}

static void print_counter(tsr_text *text, const tsr_map *map, uint64_t counts, const char *const *names)
{
    const char *before = "#";
    for (int v = 0; v < map->nvars; v++)
        if (counts >> v & 1) {
            tsr_text_add(text, before);
            print_name(text, map, v, names);
            before = " ";
        }
    tsr_text_add(text, counts ? "" : "#");
}

/* Print a name, `x floordiv c`, `x mod c`, `min(x, y)`, `max(x, y)`, `x * y` or `#i j`. */
static void print_atom(tsr_text *text, const tsr_map *map, const tsr_atom *atom, const char *const *names)
{
    switch (atom->kind) {
    case TSR_ATOM_VAR:
        print_name(text, map, atom->var, names);
        break;
    case TSR_ATOM_FLOORDIV:
    case TSR_ATOM_MOD:
        print_operand(text, map, atom->x, names);
        tsr_text_add(text, atom->kind == TSR_ATOM_FLOORDIV ? " floordiv " : " mod ");
        tsr_text_add_i64(text, atom->c);
        break;
    case TSR_ATOM_MIN:
    case TSR_ATOM_MAX:
        tsr_text_add(text, atom->kind == TSR_ATOM_MIN ? "min(" : "max(");
        tsr_linear_print(text, map, atom->x, names);
        tsr_text_add(text, ", ");
        tsr_linear_print(text, map, atom->y, names);
        tsr_text_add(text, ")");
        break;
    case TSR_ATOM_PRODUCT:
        print_operand(text, map, atom->x, names);
        tsr_text_add(text, " * ");
        print_operand(text, map, atom->y, names);
        break;
    case TSR_ATOM_COUNTER:
        print_counter(text, map, atom->counts, names);
        break;
    }
}

/* Print k * atom; the sum has printed the sign already where k is part of a sum. */
static void print_product(tsr_text *text, const tsr_map *map, int64_t k, const tsr_atom *atom,
                          const char *const *names)
{
    const bool division = atom->kind == TSR_ATOM_FLOORDIV || atom->kind == TSR_ATOM_MOD;
    const bool bare = k == 1 || !division;
    if (k == -1)
        tsr_text_add(text, "-");
    tsr_text_add(text, bare ? "" : "(");
    print_atom(text, map, atom, names);
    tsr_text_add(text, bare ? "" : ")");
    if (k != 1 && k != -1) {
        tsr_text_add(text, " * ");
        tsr_text_add_i64(text, k);
    }
}

void tsr_linear_print(tsr_text *text, const tsr_map *map, const tsr_linear *x, const char *const *names)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_map_term *t = &x->t[i];
        if (i > 0)
            tsr_text_add(text, t->k < 0 ? " - " : " + ");
        print_product(text, map, i > 0 && t->k < 0 ? -t->k : t->k, t->atom, names);
    }
    if (x->n == 0) {
        tsr_text_add_i64(text, x->c);
    } else if (x->c != 0) {
        tsr_text_add(text, x->c < 0 ? " - " : " + ");
        tsr_text_add_i64(text, x->c < 0 ? -x->c : x->c);
    }
}

static void print_names(tsr_text *text, const tsr_map *map, tsr_var_kind kind, const char *open,
                        const char *close)
{
    bool any = false;
    for (int v = 0; v < map->nvars; v++)
        if (map->vars[v].kind == kind) {
            tsr_text_add(text, any ? ", " : open);
            print_name(text, map, v, NULL);
            any = true;
        }
    if (any)
        tsr_text_add(text, close);
    else if (kind == TSR_VAR_DIM)
        tsr_text_add(text, "()");
}

static void print_interval(tsr_text *text, tsr_interval in)
{
    tsr_text_add(text, " in [");
    tsr_text_add_i64(text, in.lo);
    tsr_text_add(text, ", ");
    tsr_text_add_i64(text, in.hi);
    tsr_text_add(text, "]");
}

static void print_domain(tsr_text *text, const tsr_map *map)
{
    const char *separator = ", domain: ";
    for (int v = 0; v < map->nvars; v++) {
        if (map->vars[v].bounds.lo == INT64_MIN && map->vars[v].bounds.hi == INT64_MAX)
            continue;
        tsr_text_add(text, separator);
        print_name(text, map, v, NULL);
        print_interval(text, map->vars[v].bounds);
        separator = ", ";
    }
    for (int c = 0; c < map->nconstraints; c++) {
        tsr_text_add(text, separator);
        tsr_linear_print(text, map, map->constraints[c].x, NULL);
        print_interval(text, map->constraints[c].in);
        separator = ", ";
    }
    if (map->empty) { /* print a constant that is out of range: no point satisfies it */
        tsr_text_add(text, separator);
        tsr_text_add(text, "0");
        print_interval(text, TSR_INTERVAL_EMPTY);
    }
}

void tsr_map_print(tsr_text *text, const tsr_map *map)
{
    if (map->empty && map->nvars == 0 && map->nresults == 0 && map->nconstraints == 0) {
        tsr_text_add(text, "KNOWN EMPTY");
        return;
    }
    print_names(text, map, TSR_VAR_DIM, "(", ")");
    print_names(text, map, TSR_VAR_RANGE, "[", "]");
    print_names(text, map, TSR_VAR_RUNTIME, "{", "}");
    tsr_text_add(text, " -> (");
    for (int r = 0; r < map->nresults; r++) {
        tsr_text_add(text, r > 0 ? ", " : "");
        tsr_linear_print(text, map, map->results[r], NULL);
    }
    tsr_text_add(text, ")");
    print_domain(text, map);
}

void tsr_map_print_result(tsr_text *text, const tsr_map *map, int r, const char *const *names)
{
    tsr_linear_print(text, map, map->results[r], names);
}

void tsr_map_show(tsr_text *text, const tsr_map *map)
{
    if (tsr_map_is_known_empty(map))
        tsr_text_add(text, "KNOWN EMPTY");
    else
        tsr_map_print(text, map);
}
