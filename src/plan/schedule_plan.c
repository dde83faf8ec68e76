/* Reading the text of a plan: the schedule that asks for what the text says, and leaves out special loops that the text does not
 * have. What a plan decides and a schedule cannot ask for is not read; the code that makes the plan compares the text of the plan
 * that the schedule gives. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_state.h"
#include "tsr_text.h"

/* A line, or a part of it, without blanks at its begin and its end. */
typedef struct line {
    const char *at;
    size_t n;
} line;

/* The reader: one line at a time. */
typedef struct reader {
    tsr_schedule *schedule;
    const tsr_notation *notation;
    tsr_error *err;
    bool in_storage, keeps_workspace; /* keeps: the plan, not the schedule, has chosen the workspace */
    int outer[TSR_NOTATION_MAX_VARS], nouter; /* the loops around all terms */
    tsr_schedule_term *term; /* whose lines are read; NULL: none, or more than a schedule has */
    int nones, nshares;      /* lines about one thread, and all about threads */
    uint32_t copied;         /* bit t: operand t is copied */
    uint8_t
        machines[TSR_NOTATION_MAX_VARS]; /* bit k: a loop over the variable has machine k, tsr_plan_walk */
    uint32_t numbers; /* bit k: plan_numbers[k] is read: the first one in the text counts */
    /* what the pattern of the line has found: */
    int var[TSR_NOTATION_MAX_VARS], nvars, operand;
    unsigned long number;
    line rest; /* behind the pattern */
} reader;

/* The place after `what` in the line; NULL: the line lacks it. */
static const char *behind(line l, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= l.n; i++)
        if (memcmp(l.at + i, what, n) == 0)
            return l.at + i + n;
    return NULL;
}

static bool ends_with(line l, const char *what)
{
    const size_t n = strlen(what);
    return l.n >= n && memcmp(l.at + l.n - n, what, n) == 0;
}

static line skip(line l, size_t n)
{
    return (line){l.at + n, l.n - n};
}

static size_t name_length(line l)
{
    size_t n = 0;
    while (n < l.n && (isalnum((unsigned char)l.at[n]) || l.at[n] == '_'))
        n++;
    return n;
}

/* Take variables with ", " between them from the begin of the text. */
static bool take_vars(reader *r, line *l)
{
    const tsr_notation *const notation = r->notation;
    for (r->nvars = 0; r->nvars < notation->nvars;) {
        const line at = r->nvars && l->n > 2 && memcmp(l->at, ", ", 2) == 0 ? skip(*l, 2) : *l;
        const size_t n = name_length(at), v = tsr_name_find(notation->var, (size_t)notation->nvars,
                                                            sizeof *notation->var, at.at, n);
        if (v == (size_t)notation->nvars || (r->nvars && at.at == l->at))
            break;
        r->var[r->nvars++] = (int)v;
        *l = skip(at, n);
    }
    return r->nvars > 0;
}

/* Take an operand's name. */
static bool take_operand(reader *r, line *l)
{
    const size_t n = name_length(*l);
    r->operand = r->notation->ntensors - 1;
    while (r->operand > 0 && !tsr_name_is(r->notation->tensor[r->operand].name, l->at, n))
        r->operand--;
    *l = skip(*l, n);
    return r->operand > 0;
}

static bool take_number(reader *r, line *l)
{
    const size_t before = l->n;
    for (r->number = 0; l->n > 0 && isdigit((unsigned char)*l->at); *l = skip(*l, 1))
        r->number = r->number < 1u << 30 ? r->number * 10 + (unsigned long)(*l->at - '0') : r->number;
    return l->n < before;
}

/* Whether the line begins like this: %v variables, %t an operand, %n a number. */
static bool match(reader *r, line l, const char *pattern)
{
    for (; *pattern; pattern++) {
        const char kind = *pattern == '%' ? *++pattern : 0;
        if (!kind && (l.n == 0 || *l.at != *pattern))
            return false;
        if ((kind == 'v' && !take_vars(r, &l)) || (kind == 't' && !take_operand(r, &l)) ||
            (kind == 'n' && !take_number(r, &l)))
            return false;
        l = kind ? l : skip(l, 1);
    }
    r->rest = l;
    return true;
}

/* ---- terms ---- */

static tsr_status add_loop(reader *r, int v)
{
    tsr_schedule_term *const term = r->term;
    for (int k = 0; k < term->norder; k++)
        if (term->order[k] == v)
            return tsr_fail(r->err, TSR_UNSUPPORTED, "the plan has a loop over %s twice in a term",
                            r->notation->var[v]);
    term->order[term->norder++] = (uint8_t)v;
    return TSR_OK;
}

/* "term 1: A(i,j) * x(j)". */
static tsr_status read_term(reader *r)
{
    tsr_schedule *const schedule = r->schedule;
    r->term =
        schedule->said.nterms < TSR_SCHEDULE_MAX_TERMS ? &schedule->said.term[schedule->said.nterms++] : NULL;
    for (int k = 0; k < r->nouter && r->term; k++)
        TSR_TRY(add_loop(r, r->outer[k]));
    return TSR_OK;
}

/* "driver: A(i,j), csr": the term walks. */
static tsr_status read_driver(reader *r)
{
    if (r->term)
        r->term->driver = (uint8_t)r->operand;
    return TSR_OK;
}

/* "locate B(i,j) by search in csr, skip what it does not store". */
static tsr_status read_located(reader *r)
{
    if (r->term)
        r->term->located |= UINT32_C(1) << r->operand;
    return TSR_OK;
}

/* "for k in level 2 of A and level 1 of B, merged". */
static tsr_status read_loop(reader *r)
{
    int walk = TSR_PLAN_WALK_LOCATE;
    if (!r->schedule->said.merges || !r->term || r->term->driver)
        return TSR_OK;
    while (walk > TSR_PLAN_WALK_AUTO && !behind(r->rest, plan_walk_text((tsr_plan_walk)walk)))
        walk--;
    if (walk > TSR_PLAN_WALK_AUTO)
        r->machines[r->var[0]] |= (uint8_t)(1 << walk);
    return add_loop(r, r->var[0]);
}

/* The loops around all terms: "for i, j; j is merged step by step". */
static tsr_status read_outer(reader *r)
{
    r->nouter = r->nvars;
    memcpy(r->outer, r->var, sizeof r->outer);
    for (int k = 0; k < r->nouter; k++) {
        char words[300];
        snprintf(words, sizeof words, "; %.250s is merged", r->notation->var[r->outer[k]]);
        if (behind(r->rest, words))
            r->machines[r->outer[k]] |= 1 << TSR_PLAN_WALK_MERGE;
    }
    return TSR_OK;
}

/* "blocks: 16 coordinates of r at a time". */
static tsr_status read_blocks(reader *r)
{
    if (r->number > 0 && r->number < 1u << 24)
        r->schedule->block[r->var[0]] = (uint32_t)r->number;
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
static tsr_status read_convert(reader *r)
{
    const int t = r->operand;
    line format = r->rest;
    const char *const as = behind(r->rest, " as ");
    const bool is_asked = behind(r->rest, ": the schedule asks for it");
    if (!as)
        return TSR_OK;
    format.n = (size_t)(as - format.at) - strlen(" as ");
    if (format.n >= TSR_SCHEDULE_FORMAT)
        return tsr_fail(r->err, TSR_LIMIT, "the format of %s has more than %d characters",
                        r->notation->tensor[t].name, TSR_SCHEDULE_FORMAT - 1);
    if (r->copied >> t & 1 || (!is_asked && differ(r->notation->rhs, tsr_notation_access(r->notation, t))))
        r->schedule->convert[t][0] =
            0; /* the order of the loops needs copies of some accesses, perhaps not of all */
    else
        memcpy(r->schedule->convert[t], format.at, format.n);
    r->copied |= UINT32_C(1) << t;
    return TSR_OK;
}

/* "workspace over j, whose coordinates are listed and sorted". */
static tsr_status read_workspace(reader *r)
{
    tsr_schedule *const schedule = r->schedule;
    size_t longest = 0;
    for (int w = TSR_PLAN_WORKSPACE_DENSE; w <= TSR_PLAN_WORKSPACE_LIST; w++)
        for (int any_order = 0; any_order < 2; any_order++) {
            const char *const text = tsr_plan_workspace_text((tsr_plan_workspace)w, any_order);
            if (strlen(text) > longest && ends_with(r->rest, text)) { /* that of hash ends as that of dense */
                schedule->workspace = (tsr_plan_workspace)w;
                longest = strlen(text);
            }
        }
    for (int k = 0; k < r->nvars && longest > 0; k++)
        schedule->workspace_vars |= UINT32_C(1) << r->var[k];
    return TSR_OK;
}

static tsr_status read_list(reader *r)
{
    r->schedule->workspace = TSR_PLAN_WORKSPACE_LIST;
    return TSR_OK;
}

/* Rows that are measured: the ways of a row that the line lacks are left out. */
static tsr_status read_ways(reader *r)
{
    tsr_schedule_ways *const ways = &r->schedule->ways;
    ways->marked = behind(r->rest, "marked if ") ? ways->marked : -1;
    ways->listed = behind(r->rest, "listed if ") ? ways->listed : -1;
    r->keeps_workspace = true;
    return TSR_OK;
}

/* "rows of A and B are merged", without lists of short rows. */
static tsr_status read_rows(reader *r)
{
    if (ends_with(r->rest, " are merged"))
        r->schedule->ways.listed = -1;
    return TSR_OK;
}

static tsr_status read_assembly(reader *r)
{
    if (behind(r->rest, ", in two passes"))
        r->schedule->assembly = TSR_PLAN_ASSEMBLY_TWO_PASS;
    return TSR_OK;
}

static tsr_status read_merges(reader *r)
{
    r->schedule->said.merges = true;
    return TSR_OK;
}

static tsr_status read_storage(reader *r)
{
    r->in_storage = true;
    return TSR_OK;
}

/* Items about the program, which no other line shows, or about threads that a single thread leaves without effect. */
static tsr_status read_items(reader *r)
{
    char text[1000];
    tsr_schedule asked;
    snprintf(text, sizeof text, "%.*s", (int)(r->rest.n < sizeof text ? r->rest.n : sizeof text - 1),
             r->rest.at);
    TSR_TRY(tsr_schedule_parse(&asked, text, r->notation, r->err));
    tsr_schedule_take_program(r->schedule, &asked);
    if (asked.parallel_var)
        r->schedule->parallel_var = asked.parallel_var;
    if (asked.sharing)
        r->schedule->sharing = asked.sharing;
    return TSR_OK;
}

/* "one", "i is cut into parts, y is private", "positions of level 2 of A are cut, y is exclusive". */
static tsr_status read_threads(reader *r)
{
    static const tsr_schedule_term none;
    tsr_schedule_term share = r->term ? *r->term : none;
    const line l = r->rest;
    char words[300];
    r->nshares++;
    share.one = match(r, l, "one");
    r->nones += share.one;
    share.var = match(r, l, "%v is cut") ? (uint8_t)(r->var[0] + 1) : 0;
    share.level =
        match(r, l, "positions of level %n of ") && r->number <= TSR_MAX_LEVELS ? (uint8_t)r->number : 0;
    for (int k = TSR_SHARE_EXCLUSIVE; k <= TSR_SHARE_ATOMIC; k++) {
        snprintf(words, sizeof words, ", %.200s is %s", r->notation->tensor[0].name, plan_sharing_words[k]);
        share.sharing = ends_with(l, words) ? (tsr_sharing)k : share.sharing;
    }
    if (r->term)
        *r->term = share;
    else if (share.sharing != TSR_SHARE_EXCLUSIVE) /* that follows from the order of the loops */
        r->schedule->sharing = share.sharing;
    return match(r, l, "one, without effect: ") ? read_items(r) : TSR_OK;
}

/* The lines of a plan that a schedule can ask for. */
static const struct form {
    const char *pattern;
    tsr_status (*read)(reader *r);
    bool
        in_storage; /* in storage coordinates, too: loops are there over variables that a schedule does not name */
} forms[] = {
    {"the loops merge", read_merges, true},
    {"in storage coordinates: ", read_storage, true},
    {"program: ", read_items, true},
    {"convert %t to ", read_convert, false},
    {"around all terms: for %v", read_outer, false},
    {"workspace over %v, ", read_workspace, false},
    {"contributions are listed with their coordinates", read_list, false},
    {"each row is measured before", read_ways, false},
    {"rows of ", read_rows, false},
    {"threads: ", read_threads, true},
    {"term ", read_term, false},
    {"blocks: %n coordinates of %v", read_blocks, false},
    {"locate %t", read_located, false},
    {"driver: %t", read_driver, false},
    {"for %v in ", read_loop, false},
    {"", read_assembly, false} /* it begins with the name of the result */
};

/* The number before the unit; -1: there is none. */
static int number_before(line l, const char *unit)
{
    for (const char *end = behind(l, unit); end; end = behind(skip(l, (size_t)(end - l.at)), unit)) {
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
        const int asked = match(r, l, number->begin) ? number_before(l, number->unit) : -1;
        const char *const fault = asked > 0 ? plan_number_fault(number->item, (uint32_t)asked) : NULL;
        if (fault)
            return tsr_fail(r->err, TSR_UNSUPPORTED, "the plan has the number %d: %s", asked, fault);
        if (asked > 0 && !(r->numbers >> k & 1))
            plan_set_number(r->schedule, number->item, asked);
        r->numbers |= (uint32_t)(asked > 0) << k;
    }
    const struct form *form = forms;
    while (!match(r, l, form->pattern))
        form++;
    return form->in_storage || !r->in_storage ? form->read(r) : TSR_OK;
}

/* The part of the text after the steps: that of the kernel itself. */
static const char *skip_steps(const char *text)
{
    for (const char *step = strstr(text, "\nthen "); step; step = strstr(text, "\nthen "))
        text = step + 1;
    return text;
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
    for (int v = 0; v < r->notation->nvars; v++)
        for (int walk = TSR_PLAN_WALK_MERGE; walk <= TSR_PLAN_WALK_LOCATE; walk++)
            if (r->machines[v] == 1 << walk) /* of several machines the plan chooses */
                schedule->walk[v] = (uint8_t)walk;
    for (int t = 1; t < r->notation->ntensors; t++)
        if (is_read(text, r->notation->tensor[t].name))
            schedule->convert[t][0] = 0;
    if (r->keeps_workspace) {
        schedule->workspace = TSR_PLAN_WORKSPACE_AUTO;
        schedule->workspace_vars = 0;
    }
    schedule->serial = schedule->plain || (r->nshares > 0 && r->nones == r->nshares);
    schedule->said.merges = schedule->said.merges && !r->in_storage;
}

tsr_status tsr_schedule_read_plan(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                                  tsr_error *err)
{
    reader r = {.schedule = schedule, .notation = notation, .err = err};
    text = skip_steps(text);
    schedule->without |= find_missing(text);
    schedule->ways.usual = true;
    for (const char *p = text; *p;) {
        line l = {p, strcspn(p, "\n")};
        p += l.n + (p[l.n] != '\0');
        while (l.n > 0 && isspace((unsigned char)*l.at))
            l = skip(l, 1);
        while (l.n > 0 && isspace((unsigned char)l.at[l.n - 1]))
            l.n--;
        TSR_TRY(read_line(&r, l));
    }
    ask(&r, text);
    return TSR_OK;
}
