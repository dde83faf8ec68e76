/* Reading the text of a plan: the schedule that asks for what the text says, and leaves out special loops that the text does not
 * have. What a plan decides and a schedule cannot ask for is not read; the code that makes the plan compares the text of the plan
 * that the schedule gives. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_state.h"
#include "tsr_text.h"

/* What lines have said. */
enum {
    MERGES = 1,
    IN_TERM = 2,
    WALKS = 4,
    IN_STORAGE = 8,
    LOCATES = 16,
    KEEPS_WORKSPACE = 32 /* the plan, not the schedule, has chosen it */
};

/* The reader: one line at a time. */
typedef struct reader {
    tsr_schedule *schedule;
    const tsr_notation *notation;
    unsigned said;
    int outer[TSR_NOTATION_MAX_VARS], nouter; /* the loops around all terms */
    int loop[TSR_NOTATION_MAX_VARS], nloops;  /* the loops of a term that merges */
    int driver;                               /* of a term that walks; 0: it merges */
    int cut;       /* the level of the driver whose positions are cut; 0: none is */
    uint32_t cuts; /* bit v: a loop over v is cut, or positions where v becomes known; */
    int ncuts, nones,
        nshares; /* the number of such loops, of lines about one thread, and of all about threads */
    bool is_one; /* the last of these lines is about one thread */
    uint32_t copied, walked,
        wanted; /* bit t: operand t is copied; a term walks it; the schedule asked for its copy */
    unsigned
        shared; /* bit k: a term is shared as tsr_sharing k says; AUTO: a term that walks is not, perhaps as it is small */
    uint8_t
        machines[TSR_NOTATION_MAX_VARS]; /* bit k: a loop over the variable has machine k, tsr_plan_walk */
    bool conflicts;   /* terms have loops in orders that no single order gives: the plan chooses them */
    uint32_t numbers; /* bit k: plan_numbers[k] is read: the first one in the text counts */
    tsr_error *err;
} reader;

/* A line without blanks at its begin and its end. */
typedef struct line {
    const char *at;
    size_t n;
} line;

static bool begins(line l, const char *with)
{
    return l.n >= strlen(with) && memcmp(l.at, with, strlen(with)) == 0;
}

/* The place after `what` in the line; NULL: the line lacks it. */
static const char *behind(line l, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= l.n; i++)
        if (memcmp(l.at + i, what, n) == 0)
            return l.at + i + n;
    return NULL;
}

static line rest(line l, const char *from)
{
    return (line){from, (size_t)(l.at + l.n - from)};
}

/* The variable at the begin of the text, whose characters are counted in *n; -1: none. */
static int take_var(const reader *r, line l, size_t *n)
{
    for (*n = 0; *n < l.n && (isalnum((unsigned char)l.at[*n]) || l.at[*n] == '_'); ++*n)
        ;
    for (int v = 0; v < r->notation->nvars; v++)
        if (tsr_name_is(r->notation->var[v], l.at, *n))
            return v;
    return -1;
}

/* Variables with ", " between them, at the begin of the text. */
static int take_vars(int *list, const reader *r, line l)
{
    int n = 0;
    for (size_t length;;) {
        const int v = take_var(r, l, &length);
        if (v < 0 || n == TSR_NOTATION_MAX_VARS)
            return n;
        list[n++] = v;
        l = rest(l, l.at + length);
        if (!begins(l, ", "))
            return n;
        l = rest(l, l.at + 2);
    }
}

/* ---- loops ---- */

static int place_in_order(const tsr_schedule *schedule, int v)
{
    for (int k = 0; k < schedule->norder; k++)
        if (schedule->order[k] == v)
            return k;
    return -1;
}

/* Add the loops of a term that merges to the order: that of all terms together. */
static tsr_status end_term(reader *r)
{
    int before = -1;
    uint32_t seen = 0;
    const int n = r->nouter + r->nloops;
    if (!(r->said & MERGES) || !(r->said & IN_TERM) || r->driver)
        return TSR_OK;
    for (int k = 0; k < n && n <= TSR_NOTATION_MAX_VARS; k++) {
        const int v = k < r->nouter ? r->outer[k] : r->loop[k - r->nouter];
        const int place = place_in_order(r->schedule, v);
        if (tsr_plan_has(seen, v))
            return tsr_fail(r->err, TSR_UNSUPPORTED, "the plan has a loop over %s twice in a term",
                            r->notation->var[v]);
        seen |= UINT32_C(1) << v;
        r->conflicts = r->conflicts || (place >= 0 && place <= before);
        if (place < 0)
            r->schedule->order[r->schedule->norder++] = (uint8_t)v;
        before = place < 0 ? r->schedule->norder - 1 : place;
    }
    r->nloops = 0;
    return TSR_OK;
}

/* The variable at the begin of the text is one by whose loop the term is cut. */
static void read_cut(reader *r, line l)
{
    size_t n;
    const int v = take_var(r, l, &n);
    if (v < 0)
        return;
    r->cuts |= UINT32_C(1) << v;
    r->ncuts++;
}

/* "k in level 2 of A and level 1 of B, merged", "A3 in level 3 of A, dense: i = A1 * 2 + A3". */
static tsr_status read_loop(reader *r, line l)
{
    size_t n;
    const int v = take_var(r, l, &n);
    if (r->driver) {
        const char *const level = behind(l, " in level "), *const known = behind(l, ": ");
        if (level && r->cut > 0 && atoi(level) == r->cut)
            read_cut(r, v >= 0 || !known ? l : rest(l, known));
        return TSR_OK;
    }
    if (v < 0 || !(r->said & MERGES) || r->nloops == TSR_NOTATION_MAX_VARS)
        return TSR_OK;
    r->loop[r->nloops++] = v;
    int walk = TSR_PLAN_WALK_LOCATE;
    while (walk > TSR_PLAN_WALK_AUTO && !behind(l, plan_walk_text((tsr_plan_walk)walk)))
        walk--;
    if (walk != TSR_PLAN_WALK_AUTO)
        r->machines[v] |= (uint8_t)(1 << walk);
    return TSR_OK;
}

/* The only member of the set; -1: it has none, or several, of which the plan chooses. */
static int only_member(uint32_t set)
{
    int member = 0;
    while (member < 32 && set != UINT32_C(1) << member)
        member++;
    return member < 32 ? member : -1;
}

/* The loops around all terms: "i, j; j is merged step by step". */
static tsr_status read_outer(reader *r, line l)
{
    r->nouter = take_vars(r->outer, r, l);
    for (int k = 0; k < r->nouter; k++) {
        char words[300];
        snprintf(words, sizeof words, "; %.250s is merged", r->notation->var[r->outer[k]]);
        if (behind(l, words))
            r->machines[r->outer[k]] |= 1 << TSR_PLAN_WALK_MERGE;
    }
    return TSR_OK;
}

/* "16 coordinates of r at a time". */
static tsr_status read_blocks(reader *r, line l)
{
    const char *const var = behind(l, " of ");
    size_t n;
    const int v = var ? take_var(r, rest(l, var), &n) : -1;
    const unsigned long size = strtoul(l.at, NULL, 10);
    if (v >= 0 && size > 0 && size < 1u << 24)
        r->schedule->block[v] = (uint32_t)size;
    return TSR_OK;
}

static tsr_status read_term(reader *r, line l)
{
    (void)l;
    TSR_TRY(end_term(r));
    r->driver = r->cut = 0;
    return TSR_OK;
}

/* The operand whose name the text begins with; 0: none. */
static int take_operand(const reader *r, line l)
{
    size_t n = 0;
    while (n < l.n && (isalnum((unsigned char)l.at[n]) || l.at[n] == '_'))
        n++;
    int t = r->notation->ntensors - 1;
    while (t > 0 && !tsr_name_is(r->notation->tensor[t].name, l.at, n))
        t--;
    return t;
}

/* "A(i,j), csr": a term that walks, beside others that merge. */
static tsr_status read_driver(reader *r, line l)
{
    r->driver = take_operand(r, l);
    r->walked |= UINT32_C(1) << r->driver;
    r->shared |= (unsigned)r->is_one << TSR_SHARE_AUTO;
    return TSR_OK;
}

/* "B(i,j) by search in csr, skip what it does not store". */
static tsr_status read_located(reader *r, line l)
{
    const int t = take_operand(r, l);
    if (t > 0 && !(r->copied >> t & 1))
        r->walked |= UINT32_C(1) << t;
    return TSR_OK;
}

/* ---- conversions, workspaces, threads ---- */

/* Whether e has another access of the tensor. */
static bool differ(const tsr_expr *e, const tsr_expr *access)
{
    if (e && e->kind == TSR_EXPR_ACCESS)
        return e->tensor == access->tensor && !tsr_expr_same_access(e, access);
    return e && (differ(e->a, access) || differ(e->b, access));
}

/* "convert B to ds as B_kj: why". */
static tsr_status read_convert(reader *r, line name)
{
    const char *const to = behind(name, " to ");
    const char *const as = to ? behind(rest(name, to), " as ") : NULL;
    const int t = take_operand(r, name);
    const size_t n = as ? (size_t)(as - to) - 4 : 0;
    if (!as || t == 0)
        return TSR_OK;
    if (n >= TSR_SCHEDULE_FORMAT)
        return tsr_fail(r->err, TSR_LIMIT, "the format of %s has more than %d characters",
                        r->notation->tensor[t].name, TSR_SCHEDULE_FORMAT - 1);
    const bool is_asked = behind(name, ": the schedule asks for it");
    if (r->copied >> t & 1 || (!is_asked && differ(r->notation->rhs, tsr_notation_access(r->notation, t))))
        r->schedule->convert[t][0] =
            0; /* the order of the loops needs copies of some accesses, perhaps not of all */
    else
        memcpy(r->schedule->convert[t], to, n);
    r->wanted |= (uint32_t)is_asked << t;
    r->copied |= UINT32_C(1) << t;
    return TSR_OK;
}

/* "j, whose coordinates are listed and sorted". */
static tsr_status read_workspace(reader *r, line list)
{
    int vars[TSR_NOTATION_MAX_VARS];
    const int n = take_vars(vars, r, list);
    for (int w = TSR_PLAN_WORKSPACE_DENSE; w <= TSR_PLAN_WORKSPACE_LIST; w++)
        for (int any_order = 0; any_order < 2; any_order++) {
            const char *const text = tsr_plan_workspace_text((tsr_plan_workspace)w, any_order);
            const char *const found = behind(list, text);
            if (found && found == list.at + list.n)
                r->schedule->workspace = (tsr_plan_workspace)w;
        }
    if (r->schedule->workspace == TSR_PLAN_WORKSPACE_AUTO)
        return TSR_OK;
    /* "a hash table, whose coordinates are listed" ends like the text of an array */
    if (behind(list, ", a hash table"))
        r->schedule->workspace = TSR_PLAN_WORKSPACE_HASH;
    for (int k = 0; k < n; k++)
        r->schedule->workspace_vars |= UINT32_C(1) << vars[k];
    return TSR_OK;
}

static tsr_status read_list(reader *r, line l)
{
    (void)l;
    r->schedule->workspace = TSR_PLAN_WORKSPACE_LIST;
    return TSR_OK;
}

/* Rows that are measured: the ways of a row that the line lacks are left out. */
static tsr_status read_ways(reader *r, line l)
{
    r->schedule->ways.marked = behind(l, "marked if ") ? r->schedule->ways.marked : -1;
    r->schedule->ways.listed = behind(l, "listed if ") ? r->schedule->ways.listed : -1;
    return TSR_OK;
}

/* "A and B are merged", without lists of short rows. */
static tsr_status read_rows(reader *r, line l)
{
    if (behind(l, " are merged") == l.at + l.n)
        r->schedule->ways.listed = -1;
    return TSR_OK;
}

static tsr_status read_assembly(reader *r, line l)
{
    if (behind(l, ", in two passes"))
        r->schedule->assembly = TSR_PLAN_ASSEMBLY_TWO_PASS;
    return TSR_OK;
}

/* Items about the program, which no other line shows, or about threads that a single thread leaves without effect. */
static tsr_status read_items(reader *r, line l)
{
    char text[1000];
    tsr_schedule asked;
    snprintf(text, sizeof text, "%.*s", (int)(l.n < sizeof text ? l.n : sizeof text - 1), l.at);
    TSR_TRY(tsr_schedule_parse(&asked, text, r->notation, r->err));
    tsr_schedule_take_program(r->schedule, &asked);
    if (asked.parallel_var)
        r->schedule->parallel_var = asked.parallel_var;
    if (asked.sharing)
        r->schedule->sharing = asked.sharing;
    return TSR_OK;
}

/* "one", "i is cut into parts, y is private", "positions of level 2 of A are cut, y is exclusive". */
static tsr_status read_threads(reader *r, line l)
{
    char words[300];
    r->nshares++;
    const char *const items = behind(l, "one, without effect: ");
    if (items)
        TSR_TRY(read_items(r, rest(l, items)));
    r->is_one = begins(l, "one");
    r->nones += r->is_one;
    if (behind(l, " is cut"))
        read_cut(r, l);
    else if (begins(l, "positions of level "))
        r->cut = atoi(behind(l, "positions of level "));
    for (int k = TSR_SHARE_EXCLUSIVE; k <= TSR_SHARE_ATOMIC; k++) {
        snprintf(words, sizeof words, ", %.200s is %s", r->notation->tensor[0].name, plan_sharing_words[k]);
        if (behind(l, words))
            r->shared |= 1U << k;
    }
    return TSR_OK;
}

/* The lines of a plan that a schedule can ask for: how they begin, what they say, and what reads the rest. */
static const struct form {
    const char *begin;
    unsigned said;
    tsr_status (*read)(reader *r, line rest); /* NULL: there is nothing to read */
    bool
        in_storage; /* in storage coordinates, too: loops are there over variables that a schedule does not name */
} forms[] = {
    {"the loops merge", MERGES, NULL, true},
    {"in storage coordinates: ", IN_STORAGE, NULL, true},
    {"program: ", 0, read_items, true},
    {"convert ", 0, read_convert, false},
    {"around all terms: for ", 0, read_outer, false},
    {"workspace over ", 0, read_workspace, false},
    {"contributions are listed with their coordinates", 0, read_list, false},
    {"each row is measured before", KEEPS_WORKSPACE, read_ways, false},
    {"rows of ", 0, read_rows, false},
    {"threads: ", 0, read_threads, true},
    {"term ", IN_TERM, read_term, false},
    {"blocks: ", 0, read_blocks, false},
    {"locate ", LOCATES, read_located, false},
    {"driver: ", WALKS, read_driver, false},
    {"for ", 0, read_loop, false},
    {"", 0, read_assembly, false} /* it begins with the name of the result */
};

/* The number before the unit; -1: there is none. */
static int number_before(line l, const char *unit)
{
    for (const char *end = behind(l, unit); end; end = behind(rest(l, end), unit)) {
        const char *const at = end - strlen(unit), *begin = at;
        while (begin > l.at && isdigit((unsigned char)begin[-1]))
            begin--;
        const long n = begin < at ? strtol(begin, NULL, 10) : -1;
        if (begin < at)
            return n <= INT32_MAX ? (int)n : INT32_MAX;
    }
    return -1;
}

static tsr_status read_line(reader *r, line l)
{
    for (int k = 0; k < plan_nnumbers; k++) {
        const plan_number *const number = &plan_numbers[k];
        const bool is_there = begins(l, number->begin);
        const int asked = is_there ? number_before(l, number->unit) : -1;
        const char *const fault = asked > 0 ? plan_number_fault(number->item, (uint32_t)asked) : NULL;
        if (fault)
            return tsr_fail(r->err, TSR_UNSUPPORTED, "the plan has the number %d: %s", asked, fault);
        if (asked > 0 && !(r->numbers >> k & 1))
            plan_set_number(r->schedule, number->item, asked);
        r->numbers |= (uint32_t)(asked > 0) << k;
    }
    const struct form *form = forms;
    while (!begins(l, form->begin))
        form++;
    if (!form->in_storage && (r->said & IN_STORAGE))
        return TSR_OK;
    TSR_TRY(form->read ? form->read(r, rest(l, l.at + strlen(form->begin))) : TSR_OK);
    r->said |= form->said;
    return TSR_OK;
}

/* The part of the text after the steps: that of the kernel itself. */
static const char *skip_steps(const char *text)
{
    const char *at = text;
    for (const char *p = text; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        if (strncmp(p, "then ", 5) == 0)
            at = p;
        if (!*p)
            break;
    }
    return at;
}

/* Whether loops of the text read the operand as it is stored: its name stands without indices, or in "locate A(i,j)". */
static bool is_read(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        const bool ends = !isalnum((unsigned char)at[n]) && at[n] != '_';
        const bool converted = at - text >= 8 && memcmp(at - 8, "convert ", 8) == 0,
                   located = at - text >= 7 && memcmp(at - 7, "locate ", 7) == 0;
        if (begins && ends && (located || (at[n] != '(' && !converted)))
            return true;
    }
    return false;
}

/* The special loops that no line of the text has. */
static uint32_t find_missing(const char *text)
{
    static const char *const lines[] = {
#define X(NAME, name, text) text,
#include "special.def"
#undef X
    };
    uint32_t missing = 0;
    for (int k = 0; k < TSR_NSPECIALS; k++)
        missing |= (uint32_t)!strstr(text, lines[k]) << k;
    return missing;
}

/* Ask for what the lines say together. */
static void ask(reader *r, const char *text)
{
    tsr_schedule *const schedule = r->schedule;
    const int sharing = only_member(r->shared), cut = only_member(r->cuts);
    const bool merges = r->said & MERGES;
    if (r->conflicts)
        schedule->norder = 0;
    for (int v = 0; v < r->notation->nvars; v++)
        if (only_member(r->machines[v]) > 0)
            schedule->walk[v] = (uint8_t)only_member(r->machines[v]);
    for (int t = 1; t < r->notation->ntensors; t++) {
        if ((r->conflicts && !(r->wanted >> t & 1)) || is_read(text, r->notation->tensor[t].name))
            schedule->convert[t][0] = 0;
        if (merges && r->walked >> t & 1)
            memcpy(schedule->convert[t], TSR_SCHEDULE_WALK, sizeof TSR_SCHEDULE_WALK);
    }
    if (r->said & KEEPS_WORKSPACE) {
        schedule->workspace = TSR_PLAN_WORKSPACE_AUTO;
        schedule->workspace_vars = 0;
    }
    schedule->serial = schedule->plain || (r->nshares > 0 && r->nones == r->nshares);
    if (sharing > 0 &&
        !(merges && sharing == TSR_SHARE_EXCLUSIVE)) /* that follows from the order of the loops */
        schedule->sharing = (tsr_sharing)sharing;
    if (cut >= 0 && r->ncuts == r->nshares && !(r->said & LOCATES) &&
        (!merges || r->conflicts || (r->said & WALKS)))
        schedule->parallel_var = cut + 1;
}

tsr_status tsr_schedule_read_plan(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                                  tsr_error *err)
{
    reader r = {.schedule = schedule, .notation = notation, .err = err};
    text = skip_steps(text);
    schedule->without_special |= find_missing(text);
    schedule->ways.usual = true;
    for (const char *p = text; *p;) {
        line l = {p, strcspn(p, "\n")};
        p += l.n + (p[l.n] != '\0');
        for (; l.n > 0 && isspace((unsigned char)*l.at); l.n--)
            l.at++;
        while (l.n > 0 && isspace((unsigned char)l.at[l.n - 1]))
            l.n--;
        TSR_TRY(read_line(&r, l));
    }
    TSR_TRY(end_term(&r));
    ask(&r, text);
    return TSR_OK;
}
