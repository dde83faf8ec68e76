/* See map_oracle.h. */
#include "map_oracle.h"

#include <inttypes.h>
#include <string.h>

#include "tsr_test.h"

static const char *blanks(const char *p)
{
    while (*p == ' ' || *p == '\n')
        p++;
    return p;
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t word(const char *p)
{
    size_t n = 0;
    while (letter(p[n]))
        n++;
    return n;
}

static bool take_word(const char **p, const char *w)
{
    const char *q = blanks(*p);
    const size_t n = strlen(w);
    if (strncmp(q, w, n) != 0 || (letter(*w) && letter(q[n])))
        return false;
    *p = q + n;
    return true;
}

static int64_t sum(const map_oracle *o, const char **p, const int64_t *vars);

static int64_t unary(const map_oracle *o, const char **p, const int64_t *vars)
{
    *p = blanks(*p);
    if (**p == '-') {
        ++*p;
        return -unary(o, p, vars);
    }
    if (**p == '(') {
        ++*p;
        const int64_t v = sum(o, p, vars);
        *p = blanks(*p) + 1;
        return v;
    }
    for (int m = 0; m < 2; m++)
        if (take_word(p, m ? "max" : "min")) {
            *p = blanks(*p) + 1;
            const int64_t a = sum(o, p, vars);
            *p = blanks(*p) + 1;
            const int64_t b = sum(o, p, vars);
            *p = blanks(*p) + 1;
            return (a < b) == (m == 0) ? a : b;
        }
    if (**p >= '0' && **p <= '9') {
        char *end;
        const int64_t v = strtoll(*p, &end, 10);
        *p = end;
        return letter(*end) || *end == '(' ? v * unary(o, p, vars) : v;
    }
    const size_t n = word(*p);
    for (int i = 0; i < o->nvars; i++)
        if (strlen(o->names[i]) == n && memcmp(o->names[i], *p, n) == 0) {
            *p += n;
            return vars[i];
        }
    fail_msg("oracle: no variable at '%s'", *p);
    return 0;
}

static int64_t down(int64_t a, int64_t c)
{
    return a >= 0 ? a / c : -((-(a + 1)) / c) - 1;
}

static int64_t term(const map_oracle *o, const char **p, const int64_t *vars)
{
    int64_t v = unary(o, p, vars);
    for (;;) {
        if (take_word(p, "*")) {
            v *= unary(o, p, vars);
        } else if (take_word(p, "floordiv") || take_word(p, "floorDiv") || take_word(p, "//") ||
                   take_word(p, "/")) {
            const int64_t c = unary(o, p, vars);
            v = c < 0 ? down(-v, -c) : down(v, c);
        } else if (take_word(p, "mod") || take_word(p, "%")) {
            const int64_t c = llabs(unary(o, p, vars));
            v -= c * down(v, c);
        } else if (take_word(p, "ceildiv")) {
            const int64_t c = unary(o, p, vars);
            v = c < 0 ? -down(v, -c) : down(v + c - 1, c);
        } else {
            return v;
        }
    }
}

static int64_t sum(const map_oracle *o, const char **p, const int64_t *vars)
{
    int64_t v = term(o, p, vars);
    for (;;) {
        if (take_word(p, "+"))
            v += term(o, p, vars);
        else if (*blanks(*p) == '-' && blanks(*p)[1] != '>' && take_word(p, "-"))
            v -= term(o, p, vars);
        else
            return v;
    }
}

static void read_names(map_oracle *o, const char **p, char close)
{
    for (*p = blanks(*p + 1); **p != close; *p = blanks(*p)) {
        const size_t n = word(*p);
        memcpy(o->names[o->nvars], *p, n);
        o->lo[o->nvars] = INT64_MIN;
        o->hi[o->nvars++] = INT64_MAX;
        *p = blanks(*p + n);
        if (**p == ',')
            ++*p;
    }
    *p = blanks(*p + 1);
}

static void read_domain(map_oracle *o, const char *p)
{
    const int64_t zeros[64] = {0};
    for (p = blanks(p); *p != '\0'; p = blanks(p)) {
        const char *start = p;
        char *end;
        int v = -1;
        sum(o, &p, zeros);
        for (int i = 0; i < o->nvars; i++)
            if (strlen(o->names[i]) == word(start) && memcmp(o->names[i], start, word(start)) == 0 &&
                blanks(p) == blanks(start + word(start)))
                v = i;
        take_word(&p, "in");
        const int64_t lo = strtoll(blanks(blanks(p) + 1), &end, 10);
        const int64_t hi = strtoll(blanks(end) + 1, &end, 10);
        p = blanks(blanks(end) + 1);
        if (*p == ',')
            p++;
        if (v >= 0) {
            o->lo[v] = lo > o->lo[v] ? lo : o->lo[v];
            o->hi[v] = hi < o->hi[v] ? hi : o->hi[v];
        } else {
            o->constraints[o->nconstraints] = start;
            o->con_lo[o->nconstraints] = lo;
            o->con_hi[o->nconstraints++] = hi;
        }
    }
}

void map_oracle_read(map_oracle *o, const char *text)
{
    memset(o, 0, sizeof *o);
    const int64_t zeros[64] = {0};
    const char *p = blanks(text);
    if (take_word(&p, "KNOWN")) {
        o->hi[0] = -1;
        o->nvars = 1;
        return;
    }
    read_names(o, &p, ')');
    o->ndims = o->nvars;
    if (*p == '[')
        read_names(o, &p, ']');
    if (*p == '{')
        read_names(o, &p, '}');
    take_word(&p, "->");
    for (p = blanks(blanks(p) + 1); *p != ')'; p = blanks(p)) {
        o->results[o->nresults++] = p;
        sum(o, &p, zeros);
        p = blanks(p);
        if (*p == ',')
            p++;
    }
    p = strstr(p, "domain");
    if (p)
        read_domain(o, strchr(p, ':') + 1);
}

int64_t map_oracle_result(const map_oracle *o, int r, const int64_t *vars)
{
    const char *p = o->results[r];
    return sum(o, &p, vars);
}

bool map_oracle_inside(const map_oracle *o, const int64_t *vars)
{
    for (int v = 0; v < o->nvars; v++)
        if (vars[v] < o->lo[v] || vars[v] > o->hi[v])
            return false;
    for (int c = 0; c < o->nconstraints; c++) {
        const char *p = o->constraints[c];
        const int64_t x = sum(o, &p, vars);
        if (x < o->con_lo[c] || x > o->con_hi[c])
            return false;
    }
    return true;
}

void map_box_init(map_box *box, const map_oracle *o, uint64_t max)
{
    double volume = 1;
    memset(box, 0, sizeof *box);
    box->n = o->nvars;
    box->max = max;
    for (int v = 0; v < o->nvars; v++) {
        const bool bounded = o->lo[v] != INT64_MIN && o->hi[v] != INT64_MAX;
        box->lo[v] = bounded ? o->lo[v] : -20;
        box->hi[v] = bounded ? o->hi[v] : 20;
        if (box->lo[v] > box->hi[v])
            box->max = 0;
        volume *= (double)box->hi[v] - (double)box->lo[v] + 1;
    }
    box->all = volume <= (double)max;
}

bool map_box_next(map_box *box)
{
    if (box->max == 0 || (!box->all && box->count == box->max))
        return false;
    const bool first = box->count++ == 0;
    if (!box->all) {
        tsr_rng rng = {.s = box->seed + box->count * 1000003};
        for (int v = 0; v < box->n; v++)
            box->x[v] = (int64_t)((uint64_t)box->lo[v] +
                                  tsr_rng_below(&rng, (uint64_t)box->hi[v] - (uint64_t)box->lo[v] + 1));
        return true;
    }
    if (first) {
        memcpy(box->x, box->lo, sizeof box->x);
        return true;
    }
    for (int v = box->n - 1; v >= 0; v--) {
        if (box->x[v] < box->hi[v]) {
            box->x[v]++;
            return true;
        }
        box->x[v] = box->lo[v];
    }
    return false;
}

char *map_text_of(const tsr_map *map)
{
    tsr_text text = {0};
    tsr_map_print(&text, map);
    char *copy = strdup(tsr_text_cstr(&text));
    assert_non_null(copy);
    tsr_text_clear(&text);
    return copy;
}

void map_check_same(const char *a, const char *b, const char *about)
{
    map_oracle x, y;
    map_box box;
    map_oracle_read(&x, a);
    map_oracle_read(&y, b);
    if (x.nvars != y.nvars || x.nresults != y.nresults)
        fail_msg("%s:\n%s\n%s", about, a, b);
    map_box_init(&box, &x, MAP_MAX_POINTS);
    while (map_box_next(&box)) {
        const bool inside = map_oracle_inside(&x, box.x);
        bool same = inside == map_oracle_inside(&y, box.x);
        for (int r = 0; inside && r < x.nresults; r++)
            same &= map_oracle_result(&x, r, box.x) == map_oracle_result(&y, r, box.x);
        if (!same)
            fail_msg("%s: at (%" PRId64 ", %" PRId64 ", %" PRId64 ")\n%s\n%s", about, box.x[0], box.x[1],
                     box.x[2], a, b);
    }
}
