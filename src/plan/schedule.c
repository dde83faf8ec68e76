/* The text form of schedules: items NAME or NAME(argument, ...), separated by ','. */
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "plan_state.h"
#include "tsr_passes.h"
#include "tsr_suggest.h"

enum { MAX_NUMBER = 1 << 24, MAX_VECTOR_NBYTES = 64, ALL_SPECIALS = (1 << TSR_NSPECIALS) - 1 };

/* What an item sets. */
enum {
#define X(KIND, name, arguments, field, value, example, help) ITEM_##KIND,
#include "schedule.def"
#undef X
    NITEMS
};

static const struct {
    const char *name, *arguments;
    size_t field, nbytes; /* of tsr_schedule */
    int value;
    tsr_schedule_item shown;
} items[NITEMS] = {
#define X(KIND, name, arguments, field, value, example, help)                                \
    {name,  arguments,      offsetof(tsr_schedule, field), sizeof((tsr_schedule *)0)->field, \
     value, {example, help}},
#include "schedule.def"
#undef X
};

const tsr_schedule_item *tsr_schedule_item_at(int k)
{
    return k >= 0 && k < NITEMS ? &items[k].shown : NULL;
}

/* The number that the item sets, a byte or an int, and its bytes: one number, or one for each variable. */
static void *field_of(size_t *width, const tsr_schedule *schedule, int kind, int v)
{
    const size_t n = items[kind].nbytes;
    *width = n > sizeof(int) ? n / TSR_NOTATION_MAX_VARS : n;
    return (char *)schedule + items[kind].field + (n > sizeof(int) ? (size_t)v * *width : 0);
}

/* What the schedule says of the item, for variable v if it is about variables; 0: nothing. */
static int number_of(const tsr_schedule *schedule, int kind, int v)
{
    size_t width;
    const void *const at = field_of(&width, schedule, kind, v);
    const int number = width == 1 ? *(const uint8_t *)at : *(const int *)at;
    const int one = items[kind].value ? items[kind].value : v + 1; /* of several that the field can have */
    return strchr(items[kind].arguments, 'n') || number == one ? number : 0;
}

static void set_number(tsr_schedule *schedule, int kind, int v, int number)
{
    size_t width;
    void *const at = field_of(&width, schedule, kind, v);
    if (width == 1)
        *(uint8_t *)at = (uint8_t)number;
    else
        *(int *)at = number;
}

/* What `plain` sets besides. */
static void set_plain(tsr_schedule *schedule)
{
    schedule->serial = schedule->scalar = true;
    schedule->prefetch = schedule->lanes = -1;
}

/* ---- parsing ---- */

typedef struct parser {
    const char *text, *p;
    const tsr_notation *notation;
    tsr_error *err;
} parser;

static uint64_t column(const parser *s, const char *at)
{
    return (uint64_t)(at - s->text) + 1;
}

static void skip_blanks(parser *s)
{
    while (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r')
        s->p++;
}

/* The word at s->p: its length; s->p moves past it and the blanks after it. */
static size_t take_word(parser *s, const char **word)
{
    skip_blanks(s);
    *word = s->p;
    while (isalnum((unsigned char)*s->p) || *s->p == '_')
        s->p++;
    const size_t n = (size_t)(s->p - *word);
    skip_blanks(s);
    return n;
}

static tsr_status expect(parser *s, char c)
{
    skip_blanks(s);
    if (*s->p != c)
        return tsr_fail_at(s->err, TSR_SYNTAX, NULL, 0, column(s, s->p), "schedule: expected '%c'", c);
    s->p++;
    skip_blanks(s);
    return TSR_OK;
}

/* Whether a comma stands at s->p; s->p moves past it. */
static bool has_more(parser *s)
{
    const bool has = *s->p == ',';
    s->p += has;
    return has;
}

static tsr_status fail_at(const parser *s, const char *at, const char *why)
{
    return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at), "schedule: %s", why);
}

static tsr_status parse_number(parser *s, uint32_t *out)
{
    const char *word;
    uint64_t value = 0;
    const size_t n = take_word(s, &word);
    bool ok = n > 0;
    for (size_t i = 0; i < n && ok; i++) {
        ok = isdigit((unsigned char)word[i]) && value <= MAX_NUMBER;
        value = value * 10 + (uint64_t)(word[i] - '0');
    }
    if (!ok || value > MAX_NUMBER)
        return tsr_fail_at(s->err, TSR_SYNTAX, NULL, 0, column(s, word),
                           "schedule: expected a number of at most %d", MAX_NUMBER);
    *out = (uint32_t)value;
    return TSR_OK;
}

static tsr_status parse_variable(parser *s, int *out)
{
    const char *word;
    const size_t n = take_word(s, &word);
    *out =
        (int)tsr_name_find(s->notation->var, (size_t)s->notation->nvars, sizeof *s->notation->var, word, n);
    if (*out < s->notation->nvars)
        return TSR_OK;
    return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, word),
                       "schedule: unknown index variable '%.*s'", (int)(n < 100 ? n : 100), word);
}

static tsr_status parse_result(parser *s)
{
    const char *word, *name = s->notation->tensor[0].name;
    const size_t n = take_word(s, &word);
    if (tsr_name_is(name, word, n))
        return TSR_OK;
    return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, word),
                       "schedule: '%.*s' is not the result, %s", (int)(n < 100 ? n : 100), word, name);
}

static tsr_status parse_arguments(parser *s, const char *letters, int *var, uint32_t *number)
{
    for (size_t i = 0; letters[i]; i++) {
        TSR_TRY(expect(s, i == 0 ? '(' : ','));
        switch (letters[i]) {
        case 'A':
            TSR_TRY(parse_result(s));
            break;
        case 'v':
            TSR_TRY(parse_variable(s, var));
            break;
        default:
            TSR_TRY(parse_number(s, number));
        }
    }
    return letters[0] ? expect(s, ')') : TSR_OK;
}

/* reorder(v, v, ...): each variable once. */
static tsr_status parse_order(tsr_schedule *schedule, parser *s)
{
    uint32_t seen = 0;
    TSR_TRY(expect(s, '('));
    schedule->norder = 0;
    do {
        int var;
        const char *const at = s->p;
        TSR_TRY(parse_variable(s, &var));
        if (tsr_plan_has(seen, var))
            return fail_at(s, at, "reorder names a variable twice");
        seen |= UINT32_C(1) << var;
        schedule->order[schedule->norder++] = (uint8_t)var;
    } while (has_more(s));
    return expect(s, ')');
}

/* The words for tsr_plan_workspace. */
static const char *const workspaces[] = {
#define X(KIND, name) [TSR_PLAN_WORKSPACE_##KIND] = #name,
#include "workspaces.def"
#undef X
};
enum { NWORKSPACES = sizeof workspaces / sizeof *workspaces };

/* workspace([v, ...] KIND). */
static tsr_status parse_workspace(tsr_schedule *schedule, parser *s)
{
    TSR_TRY(expect(s, '('));
    schedule->workspace_vars = 0;
    for (;;) {
        const char *const at = s->p, *word;
        int var;
        const size_t n = take_word(s, &word);
        const bool is_last = *s->p == ')';
        const size_t kind = tsr_name_find(workspaces, NWORKSPACES, sizeof *workspaces, word, n);
        if (is_last && kind < NWORKSPACES)
            schedule->workspace = (tsr_plan_workspace)kind;
        else if (is_last)
            return tsr_fail_at(
                s->err, TSR_UNSUPPORTED, NULL, 0, column(s, at),
                "schedule: expected workspace(VARIABLES,KIND) or workspace(KIND), where KIND is dense, "
                "bitmap, hash or list");
        if (is_last)
            return expect(s, ')');
        s->p = at;
        TSR_TRY(parse_variable(s, &var));
        if (var >= s->notation->nfree)
            return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at),
                               "schedule: a workspace spans variables of the result, and %s is summed over",
                               s->notation->var[var]);
        schedule->workspace_vars |= UINT32_C(1) << var;
        TSR_TRY(expect(s, ','));
    }
}

static const char *const assemblies[] = {
    [TSR_PLAN_ASSEMBLY_TWO_PASS] = "two-pass", [TSR_PLAN_ASSEMBLY_APPEND] = "append"};

/* assemble(two-pass) or assemble(append). */
static tsr_status parse_assembly(tsr_schedule *schedule, parser *s)
{
    TSR_TRY(expect(s, '('));
    for (int k = TSR_PLAN_ASSEMBLY_TWO_PASS; k <= TSR_PLAN_ASSEMBLY_APPEND; k++)
        if (strncmp(s->p, assemblies[k], strlen(assemblies[k])) == 0) {
            schedule->assembly = (tsr_plan_assembly)k;
            s->p += strlen(assemblies[k]);
            return expect(s, ')');
        }
    return tsr_fail_at(s->err, TSR_SYNTAX, NULL, 0, column(s, s->p),
                       "schedule: expected assemble(two-pass) or assemble(append)");
}

/* The number of the operand whose name stands at s->p. */
static tsr_status parse_operand(parser *s, int *out)
{
    const tsr_notation_tensor *const operands = &s->notation->tensor[1];
    const char *word;
    const size_t n = take_word(s, &word);
    *out =
        1 + (int)tsr_name_find(&operands->name, (size_t)s->notation->ntensors - 1, sizeof *operands, word, n);
    if (*out < s->notation->ntensors)
        return TSR_OK;
    return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, word),
                       "schedule: '%.*s' is not an operand of the expression", (int)(n < 100 ? n : 100),
                       word);
}

/* convert(OPERAND,FORMAT): the format is the text up to the parenthesis that closes the item. */
static tsr_status parse_convert(tsr_schedule *schedule, parser *s)
{
    int t, depth = 0;
    TSR_TRY(expect(s, '('));
    TSR_TRY(parse_operand(s, &t));
    TSR_TRY(expect(s, ','));
    const char *const at = s->p;
    for (; *s->p && (*s->p != ')' || depth > 0); s->p++)
        depth += *s->p == '(' ? 1 : *s->p == ')' ? -1 : 0;
    const size_t n = (size_t)(s->p - at);
    if (n == 0 || n >= TSR_SCHEDULE_FORMAT)
        return tsr_fail_at(s->err, TSR_SYNTAX, NULL, 0, column(s, at),
                           "schedule: expected a format of at most %d characters", TSR_SCHEDULE_FORMAT - 1);
    if (schedule->convert[t][0])
        return fail_at(s, at, "use only one of convert and walk for an operand, once");
    memcpy(schedule->convert[t], at, n);
    return expect(s, ')');
}

/* walk(OPERAND). */
static tsr_status parse_walk(tsr_schedule *schedule, parser *s)
{
    int t;
    TSR_TRY(expect(s, '('));
    const char *const at = s->p;
    TSR_TRY(parse_operand(s, &t));
    if (schedule->convert[t][0])
        return fail_at(s, at, "use only one of convert and walk for an operand, once");
    memcpy(schedule->convert[t], TSR_SCHEDULE_WALK, sizeof TSR_SCHEDULE_WALK);
    return expect(s, ')');
}

/* precompute(OPERAND, ...) or precompute(none). */
static tsr_status parse_precompute(tsr_schedule *schedule, parser *s)
{
    const char *const at = s->p, *word;
    int n = 0;
    TSR_TRY(expect(s, '('));
    if (schedule->precomputes)
        return fail_at(s, at, "use precompute only once");
    schedule->precomputes = true;
    const char *const first = s->p;
    if (take_word(s, &word) == 4 && memcmp(word, "none", 4) == 0 && *s->p == ')')
        return expect(s, ')');
    s->p = first;
    do {
        int t;
        TSR_TRY(parse_operand(s, &t));
        schedule->precompute |= UINT32_C(1) << t;
        n++;
    } while (has_more(s));
    TSR_TRY(expect(s, ')'));
    return n >= 2 ? TSR_OK : fail_at(s, first, "precompute needs at least two operands, or none");
}

/* TSR_SYNTAX: the word is not the name of special loops, nor of a pass if these are meant, too. */
static tsr_status unknown_loops(const parser *s, const char *word, size_t n, bool has_passes)
{
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, word, n);
    for (int k = 0; k < TSR_NPASSES && has_passes; k++)
        tsr_suggest_offer(&suggest, tsr_pass_name((tsr_pass)k));
    for (int k = 0; k < TSR_NSPECIALS; k++) {
        const char *const name = tsr_special_name((tsr_special)k);
        if (!has_passes || tsr_pass_find(name, strlen(name)) == TSR_NPASSES) /* else the pass is offered */
            tsr_suggest_offer(&suggest, name);
    }
    return tsr_suggest_fail(&suggest, TSR_SYNTAX, column(s, word), has_passes ? "pass" : "special loops",
                            s->err);
}

/* without(NAME): a pass, or special loops. */
static tsr_status parse_without(tsr_schedule *schedule, parser *s)
{
    const char *word;
    TSR_TRY(expect(s, '('));
    const size_t n = take_word(s, &word);
    const tsr_pass pass = tsr_pass_find(word, n);
    const tsr_special special = tsr_special_find(word, n);
    if (pass == TSR_NPASSES && special == TSR_NSPECIALS)
        return unknown_loops(s, word, n, true);
    if (special < TSR_NSPECIALS) /* its pass, if it has one, then has nothing to do */
        schedule->without_special |= UINT32_C(1) << special;
    else if (pass == TSR_PASS_VECTORS)
        schedule->scalar = true; /* loops are not marked for vectors either */
    else
        schedule->without |= UINT32_C(1) << pass;
    return expect(s, ')');
}

/* only(NAME, ...) or only(none): all other special loops are left out. */
static tsr_status parse_only(tsr_schedule *schedule, parser *s)
{
    const char *word;
    uint32_t named = 0;
    TSR_TRY(expect(s, '('));
    const char *const first = s->p;
    const bool is_none = take_word(s, &word) == 4 && memcmp(word, "none", 4) == 0;
    s->p = is_none ? s->p : first;
    while (!is_none) {
        const size_t n = take_word(s, &word);
        const tsr_special special = tsr_special_find(word, n);
        if (special == TSR_NSPECIALS)
            return unknown_loops(s, word, n, false);
        named |= UINT32_C(1) << special;
        if (!has_more(s))
            break;
    }
    schedule->without_special |= ~named & ALL_SPECIALS;
    return expect(s, ')');
}

/* Whether the number is a power of 2 from 16 to `most`. */
static bool is_width(uint32_t number, uint32_t most)
{
    return number >= 16 && number <= most && (number & (number - 1)) == 0;
}

const plan_number plan_numbers[] = {{ITEM_LANES, "lanes: ", " bytes"},
                                    {ITEM_PREFETCH, "prefetches: rows of ", " positions ahead"},
                                    {ITEM_STREAM, "prefetches: entries of ", " positions ahead"},
                                    {ITEM_ROWS, "for ", " positions ahead"},
                                    {ITEM_MARKED, "each row is measured ", " columns for each contribution"},
                                    {ITEM_LISTED, "", " contributions"},
                                    {ITEM_PIECE, "threads: ", " entries each"}};
const int plan_nnumbers = (int)(sizeof plan_numbers / sizeof *plan_numbers);

void plan_set_number(tsr_schedule *schedule, int item, int number)
{
    set_number(schedule, item, 0, number > 0 ? number : -1);
}

const char *plan_number_fault(int item, uint32_t number)
{
    if (item == ITEM_BLOCK && number == 0)
        return "the block size must be positive";
    if (item == ITEM_UNROLL && (number == 0 || number > TSR_PLAN_LITERAL))
        return "the unroll factor must be 1 to 64";
    if (item == ITEM_WIDTH && !is_width(number, MAX_VECTOR_NBYTES))
        return "the width must be 16, 32 or 64 bytes";
    if (item == ITEM_LANES && number > 0 && !is_width(number, 128))
        return "lanes take 16, 32, 64 or 128 bytes, or 0";
    if (item == ITEM_LISTED && number > TSR_PLAN_LISTED)
        return "rows of at most 1024 contributions are listed";
    if (item == ITEM_PIECE && number == 0)
        return "a piece takes at least 1 entry";
    if ((item == ITEM_STREAM || item == ITEM_ROWS) && number == 0)
        return "a prefetch is at least 1 entry ahead: use prefetch(0) for none";
    return number > MAX_NUMBER ? "the number is too large" : NULL;
}

/* Set the item, which stands at `at`, with these arguments. */
static tsr_status set_item(tsr_schedule *schedule, const parser *s, const char *at, int kind, int var,
                           uint32_t number)
{
    const char *const fault = plan_number_fault(kind, number);
    if (fault)
        return fail_at(s, at, fault);
    if (kind >= ITEM_MERGE && kind <= ITEM_LOCATE && schedule->walk[var])
        return fail_at(s, at, "use only one of merge, gallop and locate for a variable");
    if (kind >= ITEM_EXCLUSIVE && kind <= ITEM_ATOMIC && schedule->sharing != TSR_SHARE_AUTO)
        return fail_at(s, at, "use only one of exclusive, private and atomic");
    if (kind == ITEM_PLAIN)
        set_plain(schedule);
    set_number(schedule, kind, var,
               items[kind].value                     ? items[kind].value
               : !strchr(items[kind].arguments, 'n') ? var + 1
               : number > 0                          ? (int)number
                                                     : -1);
    return TSR_OK;
}

static tsr_status unknown_item(const parser *s, const char *word, size_t n)
{
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, word, n);
    for (int i = 0; i < NITEMS; i++)
        tsr_suggest_offer(&suggest, items[i].name);
    return tsr_suggest_fail(&suggest, TSR_SYNTAX, column(s, word), "schedule item", s->err);
}

static tsr_status parse_item(tsr_schedule *schedule, parser *s)
{
    static tsr_status (*const parsers[NITEMS])(tsr_schedule *, parser *) = {
        [ITEM_WITHOUT] = parse_without,       [ITEM_ONLY] = parse_only,
        [ITEM_REORDER] = parse_order,         [ITEM_WORKSPACE] = parse_workspace,
        [ITEM_ASSEMBLE] = parse_assembly,     [ITEM_CONVERT] = parse_convert,
        [ITEM_PRECOMPUTE] = parse_precompute, [ITEM_WALK] = parse_walk};
    const char *word;
    const size_t n = take_word(s, &word);
    const int kind = (int)tsr_name_find(&items->name, NITEMS, sizeof *items, word, n);
    int var = 0;
    uint32_t number = 0;
    if (kind == NITEMS)
        return unknown_item(s, word, n);
    if (parsers[kind])
        return parsers[kind](schedule, s);
    TSR_TRY(parse_arguments(s, items[kind].arguments, &var, &number));
    return set_item(schedule, s, word, kind, var, number);
}

tsr_status tsr_schedule_parse(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                              tsr_error *err)
{
    parser s = {text ? text : "", text ? text : "", notation, err};
    memset(schedule, 0, sizeof *schedule);
    skip_blanks(&s);
    if (*s.p == '\0')
        return TSR_OK;
    for (;;) {
        TSR_TRY(parse_item(schedule, &s));
        if (*s.p == '\0')
            break;
        TSR_TRY(expect(&s, ','));
    }
    if (schedule->serial && (schedule->sharing != TSR_SHARE_AUTO || schedule->parallel_var))
        return tsr_fail(
            err, TSR_ARGUMENT,
            "schedule: serial excludes items about threads (exclusive, private, atomic, parallelize)");
    if (schedule->deterministic && schedule->sharing == TSR_SHARE_ATOMIC)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "schedule: atomic additions are not deterministic: leave out atomic or deterministic");
    if (schedule->scalar && (schedule->vector_var || schedule->vector_nbytes))
        return tsr_fail(err, TSR_ARGUMENT, "schedule: scalar excludes vectorize and width");
    return TSR_OK;
}

void tsr_schedule_take_program(tsr_schedule *out, const tsr_schedule *from)
{
    static const int taken[] = {ITEM_PLAIN,  ITEM_DETERMINISTIC, ITEM_UNROLL, ITEM_LITERAL,
                                ITEM_SCALAR, ITEM_VECTORIZE,     ITEM_WIDTH};
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
            if (number_of(from, taken[k], v))
                set_number(out, taken[k], v, number_of(from, taken[k], v));
    out->without |= from->without;
    if (from->plain)
        set_plain(out);
}

bool tsr_schedule_names_parts(const tsr_schedule *schedule)
{
    bool names = schedule->lanes > 0 || schedule->norder > 0 || schedule->workspace || schedule->assembly ||
                 schedule->precomputes;
    for (int k = 0; k < NITEMS; k++)
        for (int v = 0; v < TSR_NOTATION_MAX_VARS && strpbrk(items[k].arguments, "Av"); v++)
            names = names || number_of(schedule, k, v);
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        names = names || schedule->convert[t][0];
    return names;
}

/* ---- printing ---- */

typedef struct printer {
    tsr_text *text;
    const tsr_schedule *schedule;
    const tsr_notation *notation;
    const tsr_notation *whole; /* see tsr_schedule_print */
    bool has_items;
    int narguments; /* of the item that is printed */
} printer;

static void begin_item(printer *p, int kind)
{
    tsr_text_addf(p->text, "%s%s", p->has_items ? ", " : "", items[kind].name);
    p->has_items = true;
    p->narguments = 0;
}

/* Append an argument; the first one begins the item. */
static void add_argument(printer *p, int kind, const char *word)
{
    if (p->narguments == 0)
        begin_item(p, kind);
    tsr_text_addf(p->text, "%s%s", p->narguments++ ? "," : "(", word);
}

static void end_item(printer *p)
{
    tsr_text_add(p->text, p->narguments ? ")" : "");
    p->narguments = 0;
}

/* Print what is left out: of more than three special loops those that are not. */
static void print_without(printer *p)
{
    enum { MOST = 3 };
    const uint32_t out = p->schedule->without_special;
    int n = 0;
    for (int k = 0; k < TSR_NPASSES; k++)
        if (p->schedule->without >> k & 1) {
            add_argument(p, ITEM_WITHOUT, tsr_pass_name((tsr_pass)k));
            end_item(p);
        }
    for (int k = 0; k < TSR_NSPECIALS; k++)
        n += (int)(out >> k & 1);
    for (int k = 0; k < TSR_NSPECIALS; k++) {
        if ((out >> k & 1) == (n <= MOST))
            add_argument(p, n <= MOST ? ITEM_WITHOUT : ITEM_ONLY, tsr_special_name((tsr_special)k));
        if (n <= MOST)
            end_item(p);
    }
    if (out == ALL_SPECIALS)
        add_argument(p, ITEM_ONLY, "none");
}

/* Print the items whose arguments are lists, words and formats. */
static void print_own(printer *p, int kind)
{
    const tsr_schedule *const s = p->schedule;
    switch (kind) {
    case ITEM_WITHOUT:
        print_without(p);
        break;
    case ITEM_REORDER:
        for (int k = 0; k < s->norder; k++)
            add_argument(p, kind, p->notation->var[s->order[k]]);
        break;
    case ITEM_WORKSPACE:
        for (int v = 0; v < p->notation->nvars && s->workspace; v++)
            if (tsr_plan_has(s->workspace_vars, v))
                add_argument(p, kind, p->notation->var[v]);
        if (s->workspace)
            add_argument(p, kind, workspaces[s->workspace]);
        break;
    case ITEM_ASSEMBLE:
        if (s->assembly)
            add_argument(p, kind, assemblies[s->assembly]);
        break;
    case ITEM_CONVERT:
    case ITEM_WALK:
        for (int t = 1; t < p->notation->ntensors; t++) {
            const bool walks = strcmp(s->convert[t], TSR_SCHEDULE_WALK) == 0;
            if (s->convert[t][0] && walks == (kind == ITEM_WALK)) {
                add_argument(p, kind, p->notation->tensor[t].name);
                if (!walks)
                    add_argument(p, kind, s->convert[t]);
                end_item(p);
            }
        }
        break;
    case ITEM_PRECOMPUTE:
        for (int t = 1; t < p->whole->ntensors && s->precomputes; t++)
            if (s->precompute >> t & 1)
                add_argument(p, kind, p->whole->tensor[t].name);
        if (s->precomputes && p->narguments == 0)
            add_argument(p, kind, "none");
        break;
    default:
        break;
    }
    end_item(p);
}

/* Print an item with this number, of variable v if it is about variables. */
static void print_item(printer *p, int kind, int v, int number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number > 0 ? number : 0);
    if (!items[kind].arguments[0])
        begin_item(p, kind);
    for (const char *letter = items[kind].arguments; *letter; letter++)
        add_argument(p, kind,
                     *letter == 'A'   ? p->notation->tensor[0].name
                     : *letter == 'v' ? p->notation->var[v]
                                      : digits);
    end_item(p);
}

void tsr_schedule_print(tsr_text *text, const tsr_schedule *schedule, const tsr_notation *notation,
                        const tsr_notation *whole)
{
    printer p = {.text = text, .schedule = schedule, .notation = notation, .whole = whole};
    tsr_schedule usual = {0}; /* what need not be said */
    if (schedule->plain)
        set_plain(&usual);
    for (int k = 0; k < NITEMS; k++) {
        const int n = strchr(items[k].arguments, 'v') ? notation->nvars : 1;
        for (int v = 0; v < n && items[k].value >= 0; v++) {
            const int number = number_of(schedule, k, v);
            if (number != number_of(&usual, k, v))
                print_item(&p, k, v, number);
        }
        if (items[k].value < 0)
            print_own(&p, k);
    }
}
