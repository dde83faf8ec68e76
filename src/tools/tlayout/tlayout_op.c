/* tlayout op: which elements of its inputs an HLO computation reads, and the other way round. */
#include <stdio.h>
#include <string.h>

#include "tlayout.h"
#include "tsr_alloc.h"
#include "tsr_hlo.h"

enum { MAX_TEXT = 1 << 24 };

/* HLO text from standard input. */
static tsr_status read_stdin(tsr_text *text, tsr_error *err)
{
    char buf[4096];
    for (size_t n; !text->failed && (n = fread(buf, 1, sizeof buf, stdin)) > 0;) {
        tsr_text_add_n(text, buf, n);
        if (text->nbytes > MAX_TEXT)
            return tsr_fail(err, TSR_LIMIT, "the HLO text has more than %d bytes", MAX_TEXT);
    }
    if (ferror(stdin))
        return tsr_fail(err, TSR_IO, "standard input cannot be read");
    const size_t n = strlen(tsr_text_cstr(text));
    return n == text->nbytes ? TSR_OK
                             : tsr_fail(err, TSR_SYNTAX, "byte %zu of the HLO text is 0: HLO is text", n + 1);
}

static tsr_status say_way(tsr_tlayout *t, const tsr_hlo *hlo, const tsr_hlo_index *index, const char *head,
                          tsr_error *err)
{
    tsr_text text = {0};
    if (t->json) {
        tsr_text map = {0};
        tsr_json_open(&t->out.json, NULL, '{', false);
        if (index->map) {
            tsr_map_show(&map, index->map);
            tsr_json_string(&t->out.json, "map", tsr_text_cstr(&map));
        } else {
            tsr_json_null(&t->out.json, "map");
            tsr_json_string(&t->out.json, "why", index->why);
        }
        tsr_hlo_print_index(&text, hlo, index);
        tsr_json_string(&t->out.json, "text", tsr_text_cstr(&text));
        tsr_json_close(&t->out.json, '}');
        const tsr_status status = map.failed ? tsr_text_status(&map, err) : tsr_text_status(&text, err);
        tsr_text_clear(&map);
        tsr_text_clear(&text);
        return status;
    }
    tsr_text_add(&text, head);
    tsr_hlo_print_index(&text, hlo, index);
    return tsr_tlayout_say(t, "index", &text, err);
}

/* A direction between an input and an output of the root, in words and as the start of a line. */
typedef struct relation {
    const char *words, *head;
    int input, output;
} relation;

/* Print the maps by which `a` reads `b`, or is read by `b`: one line "a <- b: map" for each. */
static tsr_status say_ways(tsr_tlayout *t, const tsr_hlo *hlo, const tsr_hlo_indexing *ways,
                           const relation *of, tsr_error *err)
{
    tsr_status status = TSR_OK;
    if (t->json) {
        tsr_json_open(&t->out.json, NULL, '{', false);
        tsr_json_string(&t->out.json, "input", tsr_hlo_name(hlo, of->input));
        uint64_t dims[TSR_XLA_MAX_RANK];
        const int ndims = tsr_hlo_dims(dims, hlo, of->input, 0);
        tsr_json_dims(&t->out.json, "input_dims", ndims, dims);
        tsr_json_i64(&t->out.json, "output", of->output);
        tsr_json_string(&t->out.json, "direction", of->words);
        tsr_json_open(&t->out.json, "ways", '[', false);
    }
    for (int i = 0; i < ways->n && status == TSR_OK; i++)
        status = say_way(t, hlo, &ways->index[i], of->head, err);
    if (t->json) {
        tsr_json_close(&t->out.json, ']');
        tsr_json_close(&t->out.json, '}');
    }
    return status;
}

/* Print the maps between output `output` of the instruction `root` and the input, in both directions. */
static tsr_status say_input(tsr_tlayout *t, const tsr_hlo *hlo, int root, int output, int input,
                            tsr_error *err)
{
    tsr_hlo_indexing reads = {0}, writes = {0};
    tsr_text name = {0}, head = {0};
    tsr_status status = TSR_OK;
    tsr_text_add(&name, tsr_hlo_name(hlo, root));
    if (tsr_hlo_noutputs(hlo, root) > 1)
        tsr_text_addf(&name, "{%d}", output);
    if (input == root && strcmp(tsr_hlo_opcode(hlo, root), "parameter") != 0) { /* it reads nothing */
        TSR_TRY_OUT(tsr_hlo_output_to_input(&reads, hlo, (tsr_hlo_edge){root, output, 0}, false, err));
        TSR_TRY_OUT(tsr_hlo_input_to_output(&writes, hlo, (tsr_hlo_edge){root, output, 0}, false, err));
    } else {
        TSR_TRY_OUT(tsr_hlo_reads(&reads, hlo, root, output, input, err));
        TSR_TRY_OUT(tsr_hlo_writes(&writes, hlo, input, root, output, err));
    }
    tsr_text_addf(&head, "%s <- %s: ", tsr_text_cstr(&name), tsr_hlo_name(hlo, input));
    TSR_TRY_OUT(
        say_ways(t, hlo, &reads, &(relation){"output to input", tsr_text_cstr(&head), input, output}, err));
    tsr_text_clear(&head);
    tsr_text_addf(&head, "%s -> %s: ", tsr_hlo_name(hlo, input), tsr_text_cstr(&name));
    TSR_TRY_OUT(
        say_ways(t, hlo, &writes, &(relation){"input to output", tsr_text_cstr(&head), input, output}, err));
out:
    tsr_hlo_indexing_clear(&reads);
    tsr_hlo_indexing_clear(&writes);
    tsr_text_clear(&name);
    tsr_text_clear(&head);
    return status;
}

/* needed[i]: the root depends on instruction i. Operands come before the instructions that read them. */
static void mark_needed(bool *needed, const tsr_hlo *hlo, int root)
{
    needed[root] = true;
    for (int i = root; i >= 0; i--)
        for (int k = 0; needed[i] && k < tsr_hlo_noperands(hlo, i); k++)
            needed[tsr_hlo_operand(hlo, i, k)] = true;
}

/* Print the maps for every instruction without operands on which the root depends. */
static tsr_status say_inputs(tsr_tlayout *t, const tsr_hlo *hlo, int root, const bool *needed, tsr_error *err)
{
    if (t->json)
        tsr_json_open(&t->out.json, "indexing", '[', false);
    for (int output = 0; output < tsr_hlo_noutputs(hlo, root); output++)
        for (int i = 0; i <= root; i++)
            if (needed[i] && tsr_hlo_noperands(hlo, i) == 0)
                TSR_TRY(say_input(t, hlo, root, output, i, err));
    if (t->json)
        tsr_json_close(&t->out.json, ']');
    return TSR_OK;
}

static tsr_status run_op(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_hlo *hlo = NULL;
    tsr_text given = {0};
    void *needed = NULL;
    tsr_status status = TSR_OK;
    if (strcmp(word[0], "-") == 0)
        TSR_TRY_OUT(read_stdin(&given, err));
    else
        tsr_text_add(&given, word[0]);
    TSR_TRY_OUT(tsr_text_status(&given, err));
    if (!strpbrk(tsr_text_cstr(&given), "={"))
        TSR_TRY_OUT(
            tsr_fail(err, TSR_SYNTAX,
                     "'%s' is not HLO text such as 'ROOT r = f32[32] reshape(p0)': give the text, or - to "
                     "read it from standard input",
                     tsr_text_cstr(&given)));
    TSR_TRY_OUT(tsr_hlo_parse(&hlo, tsr_text_cstr(&given), err));
    TSR_TRY_OUT(tsr_alloc_array(&needed, (uint64_t)tsr_hlo_ninstructions(hlo), sizeof(bool), 1,
                                "the instructions", err));
    const int root = n > 1 ? tsr_hlo_find(hlo, word[1]) : tsr_hlo_root(hlo);
    if (root < 0)
        TSR_TRY_OUT(tsr_fail(err, TSR_ARGUMENT, "the HLO text has no instruction '%s'", word[1]));
    mark_needed(needed, hlo, root);
    TSR_TRY_OUT(say_inputs(t, hlo, root, needed, err));
out:
    tsr_free(needed);
    tsr_hlo_free(hlo);
    tsr_text_clear(&given);
    return status;
}

const tsr_tlayout_command tsr_tlayout_op_commands[] = {
    {"op", "HLO [NAME]",
     "which elements of its inputs the root of HLO text, or the instruction NAME, reads, and which of its "
     "elements read them; - is standard input",
     1, 2, run_op},
    {0},
};
