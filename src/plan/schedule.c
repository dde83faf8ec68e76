/* The text form of schedules: items NAME or NAME(argument, ...), separated by ','. */
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "plan_state.h"
#include "tsr_passes.h"
#include "tsr_suggest.h"

enum { MAX_NUMBER = 1 << 24, MAX_VECTOR_NBYTES = 64, ALL_SPECIALS = (1 << TSR_NSPECIALS) - 1 };

/* What an item sets. */
typedef enum item_kind {
#define X(kind, name, arguments, example, help) ITEM_##kind,
#include "schedule.def"
#undef X
    NITEMS
} item_kind;

static const struct {
    const char *name, *arguments;
    tsr_schedule_item shown;
} items[NITEMS] = {
#define X(kind, name, arguments, example, help) {name, arguments, {example, help}},
#include "schedule.def"
#undef X
};

const tsr_schedule_item *tsr_schedule_item_at(int k)
{
    return k >= 0 && k < NITEMS ? &items[k].shown : NULL;
}

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
    for (int v = 0; v < s->notation->nvars; v++)
        if (tsr_name_is(s->notation->var[v], word, n)) {
            *out = v;
            return TSR_OK;
        }
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

static tsr_status parse_arguments(parser *s, const char *arguments, int *var, uint32_t *number)
{
    for (size_t i = 0; arguments[i]; i++) {
        TSR_TRY(expect(s, i == 0 ? '(' : ','));
        switch (arguments[i]) {
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
    return arguments[0] ? expect(s, ')') : TSR_OK;
}

/* reorder(v, v, ...): each variable once. */
static tsr_status parse_order(tsr_schedule *schedule, parser *s)
{
    uint32_t seen = 0;
    TSR_TRY(expect(s, '('));
    for (schedule->norder = 0;;) {
        int var;
        const char *const at = s->p;
        TSR_TRY(parse_variable(s, &var));
        if (tsr_plan_has(seen, var))
            return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at),
                               "schedule: reorder names a variable twice");
        seen |= UINT32_C(1) << var;
        schedule->order[schedule->norder++] = (uint8_t)var;
        if (*s->p != ',')
            return expect(s, ')');
        TSR_TRY(expect(s, ','));
    }
}

/* The words for tsr_plan_workspace. */
static const char *const workspaces[] = {
#define X(KIND, name) [TSR_PLAN_WORKSPACE_##KIND] = #name,
#include "workspaces.def"
#include "tsr_text.h"
#undef X
};

static tsr_plan_workspace workspace_kind(const char *word, size_t n)
{
    int k = (int)(sizeof workspaces / sizeof *workspaces) - 1;
    while (k > 0 && !tsr_name_is(workspaces[k], word, n))
        k--;
    return (tsr_plan_workspace)k; /* 0 is TSR_PLAN_WORKSPACE_AUTO */
}

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
        const tsr_plan_workspace kind = is_last ? workspace_kind(word, n) : TSR_PLAN_WORKSPACE_AUTO;
        if (kind != TSR_PLAN_WORKSPACE_AUTO)
            schedule->workspace = kind;
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

/* assemble(two-pass) or assemble(append). */
static tsr_status parse_assembly(tsr_schedule *schedule, parser *s)
{
    static const char *const words[] = {
        [TSR_PLAN_ASSEMBLY_TWO_PASS] = "two-pass", [TSR_PLAN_ASSEMBLY_APPEND] = "append"};
    TSR_TRY(expect(s, '('));
    for (int k = TSR_PLAN_ASSEMBLY_TWO_PASS; k <= TSR_PLAN_ASSEMBLY_APPEND; k++)
        if (strncmp(s->p, words[k], strlen(words[k])) == 0) {
            schedule->assembly = (tsr_plan_assembly)k;
            s->p += strlen(words[k]);
            return expect(s, ')');
        }
    return tsr_fail_at(s->err, TSR_SYNTAX, NULL, 0, column(s, s->p),
                       "schedule: expected assemble(two-pass) or assemble(append)");
}

/* The number of the operand whose name stands at s->p. */
static tsr_status parse_operand(parser *s, int *out)
{
    const char *word;
    const size_t n = take_word(s, &word);
    for (int t = 1; t < s->notation->ntensors; t++)
        if (tsr_name_is(s->notation->tensor[t].name, word, n)) {
            *out = t;
            return TSR_OK;
        }
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
        return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at),
                           "schedule: convert names the operand %s twice", s->notation->tensor[t].name);
    memcpy(schedule->convert[t], at, n);
    return expect(s, ')');
}

/* precompute(OPERAND, ...) or precompute(none). */
static tsr_status parse_precompute(tsr_schedule *schedule, parser *s)
{
    const char *const at = s->p;
    const char *word;
    int n = 0;
    TSR_TRY(expect(s, '('));
    if (schedule->precomputes)
        return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at),
                           "schedule: use precompute only once");
    schedule->precomputes = true;
    const char *const first = s->p;
    if (take_word(s, &word) == 4 && memcmp(word, "none", 4) == 0 && *s->p == ')')
        return expect(s, ')');
    for (s->p = first;;) {
        int t;
        TSR_TRY(parse_operand(s, &t));
        schedule->precompute |= UINT32_C(1) << t;
        n++;
        if (*s->p != ',')
            break;
        TSR_TRY(expect(s, ','));
    }
    TSR_TRY(expect(s, ')'));
    return n >= 2 ? TSR_OK
                  : tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, first),
                                "schedule: precompute needs at least two operands, or none");
}

/* without(NAME): a pass, or special loops. */
static tsr_status parse_without(tsr_schedule *schedule, parser *s)
{
    const char *word;
    TSR_TRY(expect(s, '('));
    const size_t n = take_word(s, &word);
    const tsr_pass pass = tsr_pass_find(word, n);
    const tsr_special special = tsr_special_find(word, n);
    if (pass == TSR_NPASSES && special == TSR_NSPECIALS) {
        tsr_suggest suggest;
        tsr_suggest_begin(&suggest, word, n);
        for (int k = 0; k < TSR_NPASSES; k++)
            tsr_suggest_offer(&suggest, tsr_pass_name((tsr_pass)k));
        for (int k = 0; k < TSR_NSPECIALS; k++) {
            const char *const name = tsr_special_name((tsr_special)k);
            if (tsr_pass_find(name, strlen(name)) == TSR_NPASSES) /* else the pass is offered */
                tsr_suggest_offer(&suggest, name);
        }
        return tsr_suggest_fail(&suggest, TSR_SYNTAX, column(s, word), "pass", s->err);
    }
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
    if (take_word(s, &word) != 4 || memcmp(word, "none", 4) != 0)
        for (s->p = first;;) {
            const size_t n = take_word(s, &word);
            const tsr_special special = tsr_special_find(word, n);
            if (special == TSR_NSPECIALS) {
                tsr_suggest suggest;
                tsr_suggest_begin(&suggest, word, n);
                for (int k = 0; k < TSR_NSPECIALS; k++)
                    tsr_suggest_offer(&suggest, tsr_special_name((tsr_special)k));
                return tsr_suggest_fail(&suggest, TSR_SYNTAX, column(s, word), "special loops", s->err);
            }
            named |= UINT32_C(1) << special;
            if (*s->p != ',')
                break;
            TSR_TRY(expect(s, ','));
        }
    schedule->without_special |= ~named & ALL_SPECIALS;
    return expect(s, ')');
}

static tsr_status fail_at(const parser *s, const char *at, const char *why)
{
    return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at), "schedule: %s", why);
}

static tsr_status set_sharing(tsr_schedule *schedule, const parser *s, const char *at, tsr_sharing sharing)
{
    if (schedule->sharing != TSR_SHARE_AUTO)
        return fail_at(s, at, "use only one of exclusive, private and atomic");
    schedule->sharing = sharing;
    return TSR_OK;
}

static tsr_status set_walk(tsr_schedule *schedule, const parser *s, const char *at, int var,
                           tsr_plan_walk walk)
{
    if (schedule->walk[var])
        return fail_at(s, at, "use only one of merge, gallop and locate for a variable");
    schedule->walk[var] = (uint8_t)walk;
    return TSR_OK;
}

/* Whether the number is a power of 2 from 16 to `most`. */
static bool is_width(uint32_t number, uint32_t most)
{
    return number >= 16 && number <= most && (number & (number - 1)) == 0;
}

const plan_number plan_numbers[] = {
    {ITEM_LANES, offsetof(tsr_schedule, lanes), "lanes: ", " bytes", true},
    {ITEM_PREFETCH, offsetof(tsr_schedule, prefetch), "prefetches: rows of ", " positions ahead", true},
    {ITEM_STREAM, offsetof(tsr_schedule, ways.stream), "prefetches: entries of ", " positions ahead", false},
    {ITEM_ROWS, offsetof(tsr_schedule, ways.rows), "for ", " positions ahead", false},
    {ITEM_MARKED, offsetof(tsr_schedule, ways.marked), "each row is measured ",
     " columns for each contribution", false},
    {ITEM_LISTED, offsetof(tsr_schedule, ways.listed), "", " contributions", false},
    {ITEM_PIECE, offsetof(tsr_schedule, ways.piece), "threads: ", " entries each", false}};
const int plan_nnumbers = (int)(sizeof plan_numbers / sizeof *plan_numbers);

void plan_set_number(tsr_schedule *schedule, int k, int number)
{
    *(int *)((char *)schedule + plan_numbers[k].field) = number > 0 ? number : -1;
}

const char *plan_number_fault(int k, uint32_t number)
{
    const item_kind kind = (item_kind)plan_numbers[k].item;
    if (kind == ITEM_LANES && number > 0 && !is_width(number, 128))
        return "lanes take 16, 32, 64 or 128 bytes, or 0";
    if (kind == ITEM_LISTED && number > TSR_PLAN_LISTED)
        return "rows of at most 1024 contributions are listed";
    if (kind == ITEM_PIECE && number == 0)
        return "a piece takes at least 1 entry";
    if ((kind == ITEM_STREAM || kind == ITEM_ROWS) && number == 0)
        return "a prefetch is at least 1 entry ahead: use prefetch(0) for none";
    return number > MAX_NUMBER ? "the number is too large" : NULL;
}

static tsr_status set_number(tsr_schedule *schedule, const parser *s, const char *at, int k, uint32_t number)
{
    const char *const fault = plan_number_fault(k, number);
    plan_set_number(schedule, k, (int)number);
    return fault ? fail_at(s, at, fault) : TSR_OK;
}

static tsr_status set_item(tsr_schedule *schedule, parser *s, const char *at, item_kind kind, int var,
                           uint32_t number)
{
    int k = 0;
    while (k < plan_nnumbers && plan_numbers[k].item != (int)kind)
        k++;
    if (k < plan_nnumbers)
        return set_number(schedule, s, at, k, number);
    switch (kind) {
    case ITEM_SERIAL:
        schedule->serial = true;
        return TSR_OK;
    case ITEM_PLAIN:
        schedule->plain = schedule->serial = schedule->scalar = true;
        schedule->prefetch = schedule->lanes = -1;
        return TSR_OK;
    case ITEM_USUAL:
        schedule->ways.usual = true;
        return TSR_OK;
    case ITEM_DETERMINISTIC:
        schedule->deterministic = true;
        return TSR_OK;
    case ITEM_SCALAR:
        schedule->scalar = true;
        return TSR_OK;
    case ITEM_EXCLUSIVE:
        return set_sharing(schedule, s, at, TSR_SHARE_EXCLUSIVE);
    case ITEM_PRIVATE:
        return set_sharing(schedule, s, at, TSR_SHARE_PRIVATE);
    case ITEM_ATOMIC:
        return set_sharing(schedule, s, at, TSR_SHARE_ATOMIC);
    case ITEM_PARALLELIZE:
        schedule->parallel_var = var + 1;
        return TSR_OK;
    case ITEM_VECTORIZE:
        schedule->vector_var = var + 1;
        return TSR_OK;
    case ITEM_BLOCK:
        schedule->block[var] = number;
        return number > 0 ? TSR_OK : fail_at(s, at, "the block size must be positive");
    case ITEM_UNROLL:
        schedule->unroll[var] = number;
        return number > 0 && number <= TSR_PLAN_LITERAL ? TSR_OK
                                                        : fail_at(s, at, "the unroll factor must be 1 to 64");
    case ITEM_LITERAL:
        schedule->literal |= (uint32_t)1 << var;
        return TSR_OK;
    case ITEM_MERGE:
        return set_walk(schedule, s, at, var, TSR_PLAN_WALK_MERGE);
    case ITEM_GALLOP:
        return set_walk(schedule, s, at, var, TSR_PLAN_WALK_GALLOP);
    case ITEM_LOCATE:
        return set_walk(schedule, s, at, var, TSR_PLAN_WALK_LOCATE);
    case ITEM_WIDTH:
    default:
        schedule->vector_nbytes = (int)number;
        return is_width(number, MAX_VECTOR_NBYTES) ? TSR_OK
                                                   : fail_at(s, at, "the width must be 16, 32 or 64 bytes");
    }
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
    const char *word;
    const size_t n = take_word(s, &word);
    const int kind = (int)tsr_name_find(&items->name, NITEMS, sizeof *items, word, n);
    int var = 0;
    uint32_t number = 0;
    if (kind == NITEMS)
        return unknown_item(s, word, n);
    if (kind == ITEM_REORDER)
        return parse_order(schedule, s);
    if (kind == ITEM_WORKSPACE)
        return parse_workspace(schedule, s);
    if (kind == ITEM_ASSEMBLE)
        return parse_assembly(schedule, s);
    if (kind == ITEM_CONVERT)
        return parse_convert(schedule, s);
    if (kind == ITEM_WITHOUT)
        return parse_without(schedule, s);
    if (kind == ITEM_ONLY)
        return parse_only(schedule, s);
    if (kind == ITEM_PRECOMPUTE)
        return parse_precompute(schedule, s);
    TSR_TRY(parse_arguments(s, items[kind].arguments, &var, &number));
    return set_item(schedule, s, word, (item_kind)kind, var, number);
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
    out->deterministic = out->deterministic || from->deterministic;
    out->scalar = out->scalar || from->scalar;
    out->without |= from->without;
    out->literal |= from->literal;
    if (from->vector_var)
        out->vector_var = from->vector_var;
    if (from->vector_nbytes)
        out->vector_nbytes = from->vector_nbytes;
    for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
        if (from->unroll[v])
            out->unroll[v] = from->unroll[v];
    if (from->plain) {
        out->plain = true;
        out->prefetch = out->lanes = -1;
    }
}

bool tsr_schedule_names_parts(const tsr_schedule *schedule)
{
    bool names = schedule->sharing != TSR_SHARE_AUTO || schedule->parallel_var || schedule->vector_var ||
                 schedule->literal || schedule->lanes > 0 || schedule->norder > 0 || schedule->workspace ||
                 schedule->assembly || schedule->precomputes;
    for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
        names = names || schedule->block[v] || schedule->unroll[v] || schedule->walk[v];
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        names = names || schedule->convert[t][0];
    return names;
}

/* Append one item. argument NULL, number < 0: the item does not have it. */
static void print_item(tsr_text *text, bool *first, item_kind kind, const char *argument, int64_t number)
{
    if (!*first)
        tsr_text_add(text, ", ");
    *first = false;
    tsr_text_add(text, items[kind].name);
    if (!argument && number < 0)
        return;
    tsr_text_add(text, "(");
    if (argument)
        tsr_text_add(text, argument);
    if (number >= 0)
        tsr_text_addf(text, "%s%" PRId64, argument ? "," : "", number);
    tsr_text_add(text, ")");
}

/* Begin an item that is printed by hand. */
static void begin_item(tsr_text *text, bool *first, item_kind kind)
{
    tsr_text_addf(text, "%s%s(", *first ? "" : ", ", items[kind].name);
    *first = false;
}

static void print_workspace(tsr_text *text, bool *first, const tsr_schedule *schedule,
                            const tsr_notation *notation)
{
    begin_item(text, first, ITEM_WORKSPACE);
    for (int v = 0; v < notation->nvars; v++)
        if (tsr_plan_has(schedule->workspace_vars, v))
            tsr_text_addf(text, "%s,", notation->var[v]);
    tsr_text_addf(text, "%s)", workspaces[schedule->workspace]);
}

static void print_precompute(tsr_text *text, bool *first, const tsr_schedule *schedule,
                             const tsr_notation *notation)
{
    int n = 0;
    begin_item(text, first, ITEM_PRECOMPUTE);
    for (int t = 1; t < notation->ntensors; t++)
        if (schedule->precompute >> t & 1)
            tsr_text_addf(text, "%s%s", n++ ? "," : "", notation->tensor[t].name);
    tsr_text_add(text, n ? ")" : "none)");
}

static void print_plan_items(tsr_text *text, bool *first, const tsr_schedule *schedule,
                             const tsr_notation *notation, const tsr_notation *whole)
{
    if (schedule->norder) {
        begin_item(text, first, ITEM_REORDER);
        for (int k = 0; k < schedule->norder; k++)
            tsr_text_addf(text, "%s%s", k ? "," : "", notation->var[schedule->order[k]]);
        tsr_text_add(text, ")");
    }
    if (schedule->workspace)
        print_workspace(text, first, schedule, notation);
    if (schedule->assembly) {
        begin_item(text, first, ITEM_ASSEMBLE);
        tsr_text_add(text, schedule->assembly == TSR_PLAN_ASSEMBLY_TWO_PASS ? "two-pass)" : "append)");
    }
    for (int t = 1; t < notation->ntensors; t++)
        if (schedule->convert[t][0]) {
            begin_item(text, first, ITEM_CONVERT);
            tsr_text_addf(text, "%s,%s)", notation->tensor[t].name, schedule->convert[t]);
        }
    if (schedule->precomputes)
        print_precompute(text, first, schedule, whole);
}

/* Print which special loops are left out: one by one, or, if they are more than three, those that are not. */
static void print_specials(tsr_text *text, bool *first, uint32_t out)
{
    enum { MOST = 3 };
    int n = 0;
    for (int k = 0; k < TSR_NSPECIALS; k++)
        n += (int)(out >> k & 1);
    for (int k = 0; k < TSR_NSPECIALS && n <= MOST; k++)
        if (out >> k & 1)
            print_item(text, first, ITEM_WITHOUT, tsr_special_name((tsr_special)k), -1);
    if (n <= MOST)
        return;
    begin_item(text, first, ITEM_ONLY);
    tsr_text_add(text, out == ALL_SPECIALS ? "none" : "");
    n = 0;
    for (int k = 0; k < TSR_NSPECIALS; k++)
        if (!(out >> k & 1))
            tsr_text_addf(text, "%s%s", n++ ? "," : "", tsr_special_name((tsr_special)k));
    tsr_text_add(text, ")");
}

void tsr_schedule_print(tsr_text *text, const tsr_schedule *schedule, const tsr_notation *notation,
                        const tsr_notation *whole)
{
    bool first = true;
    if (schedule->plain)
        print_item(text, &first, ITEM_PLAIN, NULL, -1);
    for (int k = 0; k < TSR_NPASSES; k++)
        if (schedule->without >> k & 1)
            print_item(text, &first, ITEM_WITHOUT, tsr_pass_name((tsr_pass)k), -1);
    print_specials(text, &first, schedule->without_special);
    if (schedule->ways.usual)
        print_item(text, &first, ITEM_USUAL, NULL, -1);
    if (schedule->serial && !schedule->plain)
        print_item(text, &first, ITEM_SERIAL, NULL, -1);
    if (schedule->deterministic)
        print_item(text, &first, ITEM_DETERMINISTIC, NULL, -1);
    if (schedule->parallel_var)
        print_item(text, &first, ITEM_PARALLELIZE, notation->var[schedule->parallel_var - 1], -1);
    if (schedule->sharing != TSR_SHARE_AUTO)
        print_item(text, &first,
                   schedule->sharing == TSR_SHARE_EXCLUSIVE ? ITEM_EXCLUSIVE
                   : schedule->sharing == TSR_SHARE_PRIVATE ? ITEM_PRIVATE
                                                            : ITEM_ATOMIC,
                   notation->tensor[0].name, -1);
    for (int v = 0; v < notation->nvars; v++) {
        if (schedule->block[v])
            print_item(text, &first, ITEM_BLOCK, notation->var[v], schedule->block[v]);
        if (schedule->unroll[v])
            print_item(text, &first, ITEM_UNROLL, notation->var[v], schedule->unroll[v]);
        if (tsr_plan_has(schedule->literal, v))
            print_item(text, &first, ITEM_LITERAL, notation->var[v], -1);
    }
    if (schedule->scalar && !schedule->plain)
        print_item(text, &first, ITEM_SCALAR, NULL, -1);
    if (schedule->vector_var)
        print_item(text, &first, ITEM_VECTORIZE, notation->var[schedule->vector_var - 1], -1);
    if (schedule->vector_nbytes)
        print_item(text, &first, ITEM_WIDTH, NULL, schedule->vector_nbytes);
    for (int v = 0; v < notation->nvars; v++)
        if (schedule->walk[v])
            print_item(text, &first, (item_kind)(ITEM_MERGE + schedule->walk[v] - TSR_PLAN_WALK_MERGE),
                       notation->var[v], -1);
    print_plan_items(text, &first, schedule, notation, whole);
    for (int k = 0; k < plan_nnumbers; k++) {
        const int number = *(const int *)((const char *)schedule + plan_numbers[k].field);
        if (number > 0 || (number < 0 && !(schedule->plain && plan_numbers[k].is_plain)))
            print_item(text, &first, (item_kind)plan_numbers[k].item, NULL, number > 0 ? number : 0);
    }
}
