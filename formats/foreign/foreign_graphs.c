/* Files of graphs that Tessera recognises but does not read: see foreign_graphs.h. */
#include "foreign_graphs.h"

#include <string.h>
#include <strings.h>

#include "text_block.h"
#include "text_reader.h"
#include "tsr_num.h"

/* The next line of the head, without blanks around it. */
typedef struct head_lines {
    const char *p, *end;
} head_lines;

static head_lines head_of(const tsr_probe *probe)
{
    const char *const p = (const char *)probe->head;
    return (head_lines){p, p + probe->n};
}

/* The next line that is not blank, without what follows one of `comments`. False: there is none. */
static bool next_line(const char **p, const char **end, head_lines *lines, const char *comments)
{
    while (lines->p < lines->end) {
        const char *const newline = memchr(lines->p, '\n', (size_t)(lines->end - lines->p));
        *p = lines->p;
        *end = newline ? newline : lines->end;
        lines->p = newline ? newline + 1 : lines->end;
        tsr_line_strip(p, end, comments);
        if (*p < *end)
            return true;
    }
    return false;
}

static bool begins(const char *p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - p) >= n && strncasecmp(p, word, n) == 0;
}

/* The first token of the text is the word. */
static bool is_word(const char *p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    return begins(p, end, word) && ((size_t)(end - p) == n || tsr_is_blank(p[n]));
}

/* The numbers of a line, which holds nothing but whole numbers; else 0. */
static int count_numbers(const char *p, const char *end)
{
    const char *token, *token_end;
    uint64_t v;
    int n = 0;
    for (; tsr_next_token(&token, &token_end, &p, end); n++)
        if (tsr_parse_u64(&v, token, token_end) != token_end)
            return 0;
    return n;
}

bool tsr_is_metis(const tsr_probe *probe)
{
    const char *const suffix = probe->path ? strrchr(probe->path, '.') : NULL;
    const char *p, *end;
    head_lines lines = head_of(probe);
    if (!suffix || strcasecmp(suffix, ".graph") != 0 || !next_line(&p, &end, &lines, "%#"))
        return false;
    return count_numbers(p, end) >= 2; /* vertices, edges, which weights there are, how many per vertex */
}

bool tsr_is_pajek(const tsr_probe *probe)
{
    const char *p, *end;
    head_lines lines = head_of(probe);
    return next_line(&p, &end, &lines, "%") && (is_word(p, end, "*vertices") || is_word(p, end, "*network"));
}

bool tsr_is_graphml(const tsr_probe *probe)
{
    const char *p, *end;
    head_lines lines = head_of(probe);
    if (!next_line(&p, &end, &lines, "") || *p != '<')
        return false;
    do
        for (; p < end; p++)
            if (begins(p, end, "<graphml") || begins(p, end, "<gexf"))
                return true;
    while (next_line(&p, &end, &lines, ""));
    return false;
}

bool tsr_is_gml(const tsr_probe *probe)
{
    const char *p, *end;
    head_lines lines = head_of(probe);
    while (next_line(&p, &end, &lines, "#")) {
        if (begins(p, end, "graph") && (is_word(p, end, "graph") || p[5] == '['))
            return (end[-1] == '[') || (end - p == 5 && next_line(&p, &end, &lines, "#") && *p == '[');
        if (!is_word(p, end, "Creator") && !is_word(p, end, "Version") && !is_word(p, end, "comment"))
            return false;
    }
    return false;
}

bool tsr_is_graphviz(const tsr_probe *probe)
{
    const char *p, *end;
    head_lines lines = head_of(probe);
    do
        if (!next_line(&p, &end, &lines, "#"))
            return false;
    while (begins(p, end, "//"));
    const bool word = is_word(p, end, "strict") || is_word(p, end, "digraph") || is_word(p, end, "graph");
    return word && memchr(p, '{', (size_t)(end - p)) != NULL;
}

bool tsr_is_dimacs(const tsr_probe *probe)
{
    static const char *const kinds[] = {"edge", "col", "sp", "max", "min", "asn"};
    const char *p, *end, *token, *token_end;
    head_lines lines = head_of(probe);
    do
        if (!next_line(&p, &end, &lines, ""))
            return false;
    while (is_word(p, end, "c"));
    if (!is_word(p, end, "p") || !tsr_next_token(&token, &token_end, &p, end) ||
        !tsr_next_token(&token, &token_end, &p, end) || count_numbers(p, end) == 0)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_word(token, token_end, kinds[i]))
            return true;
    return false;
}
