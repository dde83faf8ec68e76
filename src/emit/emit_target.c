/* Texts for one processor: of the lines that a compiler chooses by its processor, only those of the target stay. */
#include <string.h>

#include "emit_internal.h"
#include "tsr_suggest.h"

#define V3 " __x86_64__ __BMI2__ "
#define V4 V3 "__AVX512F__ __AVX512BW__ "

const tsr_emit_target tsr_emit_targets[] = {
    {"x86-64-v2", "x86_64", "-march=x86-64-v2", "SSE4.2", " __x86_64__ "},
    {"x86-64-v3", "x86_64", "-march=x86-64-v3", "AVX2, BMI2", V3},
    {"x86-64-v4", "x86_64", "-march=x86-64-v4", "AVX-512", V4},
    {"armv8-a", "aarch64", "-march=armv8-a", "NEON", " "},
    {"neoverse-v1", "aarch64", "-mcpu=neoverse-v1", "NEON, SVE", " "},
    {NULL, NULL, NULL, NULL, NULL},
};

tsr_status tsr_emit_target_parse(const tsr_emit_target **out, const char *name, tsr_error *err)
{
    tsr_suggest near;
    for (*out = tsr_emit_targets; (*out)->name; ++*out)
        if (strcmp((*out)->name, name) == 0)
            return TSR_OK;
    *out = NULL;
    tsr_suggest_begin(&near, name, strlen(name));
    for (const tsr_emit_target *t = tsr_emit_targets; t->name; t++)
        tsr_suggest_offer(&near, t->name);
    return tsr_suggest_fail(&near, TSR_ARGUMENT, 0, "processor", err);
}

/* What is known of a condition. */
typedef enum verdict { OPEN, NEVER, ALWAYS } verdict;

/* Whether a macro of n characters is defined. */
static verdict is_defined(const emit *e, const char *macro, size_t n)
{
    static const char own[] = "TSR_RT_WIDE"; /* the text defines it where the compiler has AVX-512 */
    if (n == sizeof own - 1 && strncmp(macro, own, n) == 0)
        return is_defined(e, "__AVX512BW__", 12) == NEVER ? NEVER : OPEN;
    static const char *const prefixes[] = {"__AVX512", "__BMI2__", "__x86_64__", "__znver"};
    size_t k = 0;
    while (k < sizeof prefixes / sizeof *prefixes && strncmp(macro, prefixes[k], strlen(prefixes[k])) != 0)
        k++;
    if (k == sizeof prefixes / sizeof *prefixes)
        return OPEN;
    if (e->options.scalar && k == 0)
        return NEVER;
    if (!e->options.target)
        return OPEN;
    for (const char *p = e->options.target->macros; (p = strchr(p, ' ')) != NULL && p[1]; p++)
        if (strncmp(p + 1, macro, n) == 0 && p[1 + n] == ' ')
            return ALWAYS;
    return NEVER;
}

/* The verdict on a line "#ifdef X" or "#if defined(X) && !defined(Y)"; OPEN for any other. */
static verdict judge(const emit *e, const char *line)
{
    static const char one[] = "#ifdef ", all[] = "#if ", is[] = "defined(";
    if (strncmp(line, one, sizeof one - 1) == 0)
        return is_defined(e, line + sizeof one - 1, strcspn(line + sizeof one - 1, "\n"));
    verdict known = ALWAYS;
    if (strncmp(line, all, sizeof all - 1) != 0)
        return OPEN;
    for (const char *p = line + sizeof all - 1; known != NEVER;) {
        const bool negates = *p == '!';
        p += negates;
        if (strncmp(p, is, sizeof is - 1) != 0)
            return OPEN;
        p += sizeof is - 1;
        const size_t n = strcspn(p, ")\n");
        const verdict found = is_defined(e, p, n);
        if (found == OPEN)
            known = OPEN;
        else if (negates == (found == ALWAYS))
            known = NEVER;
        p += n + 1;
        if (strncmp(p, " && ", 4) != 0)
            return *p == '\n' || known == NEVER ? known : OPEN;
        p += 4;
    }
    return known;
}

void emit_keep_lines(const emit *e, tsr_text *out, const char *s, size_t n)
{
    static const char wide[] =
        "#if defined(__AVX512"; /* off in tessera_rt.h where a text defines TSR_RT_SCALAR */
    enum { DEPTH = 16 };
    verdict of[DEPTH] = {OPEN}; /* of the #if at each depth; turned round behind its #else */
    const char *const end = s + n;
    int depth = 0, nskipped = 0; /* nskipped of the #if here have lines that are left out */
    for (const char *line = s; line < end; line += strcspn(line, "\n") + 1) {
        const bool begins = strncmp(line, "#if", 3) == 0, ends = strncmp(line, "#endif", 6) == 0;
        if (begins && depth + 1 < DEPTH) {
            of[++depth] = judge(e, line);
            nskipped += of[depth] == NEVER;
        }
        const verdict here = begins || ends || strncmp(line, "#else", 5) == 0 ? of[depth] : OPEN;
        if (here != OPEN && strncmp(line, "#else", 5) == 0) {
            nskipped += here == ALWAYS ? 1 : -1;
            of[depth] = here == ALWAYS ? NEVER : ALWAYS;
        }
        if (here == OPEN && nskipped == 0 && e->is_runtime && strncmp(line, wide, sizeof wide - 1) == 0) {
            tsr_text_add(out, "#if !defined(TSR_RT_SCALAR) && ");
            tsr_text_add_n(out, line + 4, strcspn(line, "\n") - 3);
        } else if (here == OPEN && nskipped == 0) {
            tsr_text_add_n(out, line, strcspn(line, "\n") + 1);
        }
        if (ends && depth > 0)
            nskipped -= of[depth--] == NEVER;
    }
}
