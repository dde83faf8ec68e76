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
    return strpbrk(items[kind].arguments, "na") || number == one ? number : 0;
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

/* ---- names ---- */

static const char *const workspaces[] = {
#define X(KIND, name) [TSR_PLAN_WORKSPACE_##KIND] = #name,
#include "workspaces.def"
#undef X
};
static const char *const assemblies[] = {
    [TSR_PLAN_ASSEMBLY_TWO_PASS] = "two-pass", [TSR_PLAN_ASSEMBLY_APPEND] = "append"};

/* Special loops, then passes: a pass with the name of special loops has nothing to do where these are left out. */
static const char *const parts[] = {
#define X(NAME, name, text) #name,
#include "special.def"
#undef X
#define X(NAME, name) #name,
#include "passes.def"
#undef X
};

/* The names that an argument can have. */
typedef struct names {
    const char *what;
    tsr_status status;        /* where it has another name */
    const char *const *first; /* n of them, nbytes apart; NULL elements are not names */
    size_t n, nbytes;
} names;

/* Those of a letter of schedule.def. */
static names names_of(char letter, const tsr_notation *notation)
{
    const tsr_notation_tensor *const tensor = notation->tensor;
    const size_t nloops = letter == 'S' ? (size_t)TSR_NSPECIALS : sizeof parts / sizeof *parts;
    switch (letter) {
    case 'A':
        return (names){"result", TSR_ARGUMENT, &tensor->name, 1, sizeof *tensor};
    case 'o':
    case 'O':
        return (names){"operand", TSR_ARGUMENT, &tensor[1].name, (size_t)notation->ntensors - 1,
                       sizeof *tensor};
    case 'k':
        return (names){"workspace", TSR_SYNTAX, workspaces, sizeof workspaces / sizeof *workspaces,
                       sizeof *workspaces};
    case 'a':
        return (names){"assembly", TSR_SYNTAX, assemblies, sizeof assemblies / sizeof *assemblies,
                       sizeof *assemblies};
    case 'p':
    case 'S':
        return (names){letter == 'p' ? "pass" : "special loops", TSR_SYNTAX, parts, nloops, sizeof *parts};
    default:
        return (names){"index variable", TSR_ARGUMENT, notation->var, (size_t)notation->nvars,
                       sizeof *notation->var};
    }
}

static const char *name_at(const names *of, size_t k)
{
    return *(const char *const *)((const char *)of->first + k * of->nbytes);
}

/* ---- parsing ---- */

typedef struct parser {
    const char *text, *p;
    const tsr_notation *notation;
    tsr_error *err;
} parser;

/* The arguments of an item. */
typedef struct arguments {
    int name;        /* the number of the name that is not in the list */
    uint32_t number; /* after it */
    int n;
    uint8_t list[TSR_NOTATION_MAX_VARS]; /* n numbers of names */
    uint32_t set;                        /* the same */
    const char *format;
    size_t nformat;
} arguments;

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
    while (isalnum((unsigned char)*s->p) || *s->p == '_' || *s->p == '-')
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

/* The number of the name at s->p. */
static tsr_status parse_name(parser *s, const names *of, int *out)
{
    const char *word;
    const size_t n = take_word(s, &word), found = tsr_name_find(of->first, of->n, of->nbytes, word, n);
    *out = (int)found;
    if (found < of->n)
        return TSR_OK;
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, word, n);
    for (size_t k = 0; k < of->n; k++) {
        const char *const name = name_at(of, k);
        if (name && tsr_name_find(of->first, of->n, of->nbytes, name, strlen(name)) == k)
            tsr_suggest_offer(&suggest, name);
    }
    return tsr_suggest_fail(&suggest, of->status, column(s, word), of->what, s->err);
}

/* Names, each once, with commas between them; of operands and special loops there may be `none`. The last one of a workspace is
 * its kind, all others are variables of the result. */
static tsr_status parse_list(arguments *a, parser *s, char letter)
{
    const char *word, *const first = s->p;
    const names of = names_of(letter, s->notation), kinds = names_of('k', s->notation);
    if (letter != 'V' && letter != 'W' && take_word(s, &word) == 4 && memcmp(word, "none", 4) == 0 &&
        *s->p == ')')
        return TSR_OK;
    for (s->p = first;; s->p++) {
        const char *const at = s->p + strspn(s->p, " \t\r\n");
        int k;
        if (letter == 'W' && s->p[strcspn(s->p, ",)")] == ')')
            return parse_name(s, &kinds, &a->name);
        TSR_TRY(parse_name(s, &of, &k));
        if (letter == 'W' && k >= s->notation->nfree)
            return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at),
                               "schedule: a workspace spans variables of the result, and %s is summed over",
                               name_at(&of, (size_t)k));
        if (tsr_plan_has(a->set, k))
            return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, column(s, at),
                               "schedule: the item names %s twice", name_at(&of, (size_t)k));
        a->set |= UINT32_C(1) << k;
        a->list[a->n++] = (uint8_t)k;
        if (letter == 'W' && *s->p != ',')
            return expect(s, ',');
        if (*s->p != ',')
            return TSR_OK;
    }
}

/* The text up to the parenthesis that closes the item. */
static tsr_status parse_format(arguments *a, parser *s)
{
    int depth = 0;
    a->format = s->p;
    for (; *s->p && (*s->p != ')' || depth > 0); s->p++)
        depth += *s->p == '(' ? 1 : *s->p == ')' ? -1 : 0;
    a->nformat = (size_t)(s->p - a->format);
    if (a->nformat == 0 || a->nformat >= TSR_SCHEDULE_FORMAT)
        return tsr_fail_at(s->err, TSR_SYNTAX, NULL, 0, column(s, a->format),
                           "schedule: expected a format of at most %d characters", TSR_SCHEDULE_FORMAT - 1);
    return TSR_OK;
}

static tsr_status parse_arguments(arguments *a, parser *s, const char *letters)
{
    for (size_t i = 0; letters[i]; i++) {
        const names of = names_of(letters[i], s->notation);
        TSR_TRY(expect(s, i == 0 ? '(' : ','));
        if (letters[i] == 'n')
            TSR_TRY(parse_number(s, &a->number));
        else if (letters[i] == 'f')
            TSR_TRY(parse_format(a, s));
        else if (strchr("VWOS", letters[i]))
            TSR_TRY(parse_list(a, s, letters[i]));
        else
            TSR_TRY(parse_name(s, &of, &a->name));
    }
    return letters[0] ? expect(s, ')') : TSR_OK;
}

/* Whether the number is a power of 2 from 16 to `most`. */
static bool is_width(uint32_t number, uint32_t most)
{
    return number >= 16 && number <= most && (number & (number - 1)) == 0;
}

const plan_number plan_numbers[] = {{ITEM_LANES, "lanes: ", " bytes"},
                                    {ITEM_PREFETCH, "prefetches: rows of ", " positions ahead"},
                                    {ITEM_STREAM, "prefetches: entries of ", " positions ahead"},
                                    {ITEM_ROWS, "prefetches: sparse rows of ", " positions ahead"},
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

/* What is wrong with the item; NULL: nothing. */
static const char *fault_of(const tsr_schedule *schedule, int kind, const arguments *a)
{
    if (kind >= ITEM_MERGE && kind <= ITEM_LOCATE && schedule->walk[a->name])
        return "use only one of merge, gallop and locate for a variable";
    if (kind >= ITEM_EXCLUSIVE && kind <= ITEM_ATOMIC && schedule->sharing != TSR_SHARE_AUTO)
        return "use only one of exclusive, private and atomic";
    if ((kind == ITEM_CONVERT || kind == ITEM_WALK) && schedule->convert[a->name + 1][0])
        return "use only one of convert and walk for an operand, once";
    if (kind == ITEM_PRECOMPUTE && schedule->precomputes)
        return "use precompute only once";
    if (kind == ITEM_PRECOMPUTE && a->n == 1)
        return "precompute needs at least two operands, or none";
    return plan_number_fault(kind, a->number);
}

/* Set an item whose arguments are lists, words and formats. */
static void set_own(tsr_schedule *schedule, int kind, const arguments *a)
{
    switch (kind) {
    case ITEM_WITHOUT:
        if (a->name == TSR_NSPECIALS + TSR_PASS_VECTORS)
            schedule->scalar = true; /* loops are not marked for vectors either */
        else
            schedule->without |= UINT32_C(1) << a->name;
        break;
    case ITEM_ONLY:
        schedule->without |= ~a->set & ALL_SPECIALS;
        break;
    case ITEM_REORDER:
        schedule->norder = (uint8_t)a->n;
        memcpy(schedule->order, a->list, sizeof a->list);
        break;
    case ITEM_WORKSPACE:
        schedule->workspace = (tsr_plan_workspace)a->name;
        schedule->workspace_vars = a->set;
        break;
    case ITEM_PRECOMPUTE:
        schedule->precomputes = true;
        schedule->precompute = a->set << 1;
        break;
    default: /* CONVERT, WALK */
        memcpy(schedule->convert[a->name + 1], a->format ? a->format : TSR_SCHEDULE_WALK,
               a->format ? a->nformat : sizeof TSR_SCHEDULE_WALK);
    }
}

static tsr_status parse_item(tsr_schedule *schedule, parser *s)
{
    const names known = {"schedule item", TSR_SYNTAX, &items->name, NITEMS, sizeof *items};
    const char *const at = s->p;
    arguments a = {0};
    int kind;
    TSR_TRY(parse_name(s, &known, &kind));
    const char *const letters = items[kind].arguments;
    const int value = items[kind].value;
    TSR_TRY(parse_arguments(&a, s, letters));
    const char *const fault = fault_of(schedule, kind, &a);
    if (fault)
        return fail_at(s, at, fault);
    if (kind == ITEM_PLAIN)
        set_plain(schedule);
    if (value < 0)
        set_own(schedule, kind, &a);
    else
        set_number(schedule, kind, a.name,
                   value                   ? value
                   : strchr(letters, 'a')  ? a.name
                   : !strchr(letters, 'n') ? a.name + 1
                   : a.number > 0          ? (int)a.number
                                           : -1);
    return TSR_OK;
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
    out->without |= from->without & ~(uint32_t)ALL_SPECIALS;
    if (from->plain)
        set_plain(out);
}

bool tsr_schedule_names_parts(const tsr_schedule *schedule)
{
    bool has = schedule->lanes > 0 || schedule->norder > 0 || schedule->workspace || schedule->assembly ||
               schedule->precomputes || schedule->said.nterms > 0;
    for (int k = 0; k < NITEMS; k++)
        for (int v = 0; v < TSR_NOTATION_MAX_VARS && strpbrk(items[k].arguments, "Av"); v++)
            has = has || number_of(schedule, k, v);
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        has = has || schedule->convert[t][0];
    return has;
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

/* Append the names in the set, as arguments of one item, or of an item each. */
static void add_set(printer *p, int kind, char letter, uint32_t set, bool one)
{
    const names of = names_of(letter, letter == 'O' ? p->whole : p->notation);
    for (size_t k = 0; k < of.n; k++) {
        if (set >> k & 1)
            add_argument(p, kind, name_at(&of, k));
        if (!one)
            end_item(p);
    }
}

/* Print what is left out: of more than three special loops those that are not. */
static void print_without(printer *p)
{
    enum { MOST = 3 };
    const uint32_t out = p->schedule->without & ALL_SPECIALS;
    int n = 0;
    add_set(p, ITEM_WITHOUT, 'p', p->schedule->without - out, false);
    for (int k = 0; k < TSR_NSPECIALS; k++)
        n += (int)(out >> k & 1);
    if (n <= MOST)
        add_set(p, ITEM_WITHOUT, 'S', out, false);
    else if (out == ALL_SPECIALS)
        add_argument(p, ITEM_ONLY, "none");
    else
        add_set(p, ITEM_ONLY, 'S', ~out, true);
}

/* Print the items whose arguments are lists, words and formats. */
static void print_own(printer *p, int kind)
{
    const tsr_schedule *const s = p->schedule;
    const bool is_walk = kind == ITEM_WALK;
    switch (kind) {
    case ITEM_WITHOUT:
        print_without(p);
        break;
    case ITEM_REORDER:
        for (int k = 0; k < s->norder; k++)
            add_argument(p, kind, p->notation->var[s->order[k]]);
        break;
    case ITEM_WORKSPACE:
        if (s->workspace) {
            add_set(p, kind, 'W', s->workspace_vars, true);
            add_argument(p, kind, workspaces[s->workspace]);
        }
        break;
    case ITEM_PRECOMPUTE:
        if (s->precomputes && !s->precompute)
            add_argument(p, kind, "none");
        else if (s->precomputes)
            add_set(p, kind, 'O', s->precompute >> 1, true);
        break;
    default: /* CONVERT, WALK; ONLY is printed by WITHOUT */
        for (int t = 1; t < p->notation->ntensors && kind != ITEM_ONLY; t++) {
            if (!s->convert[t][0] || (strcmp(s->convert[t], TSR_SCHEDULE_WALK) == 0) != is_walk)
                continue;
            add_argument(p, kind, p->notation->tensor[t].name);
            if (!is_walk)
                add_argument(p, kind, s->convert[t]);
            end_item(p);
        }
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
    for (const char *letter = items[kind].arguments; *letter; letter++) {
        const names of = names_of(*letter, p->notation);
        const int k = *letter == 'v' ? v : *letter == 'a' ? number : 0;
        add_argument(p, kind, *letter == 'n' ? digits : name_at(&of, (size_t)k));
    }
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
