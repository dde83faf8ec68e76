/* Index notation: what parses prints as text that parses back to the same text, gets sizes or is refused, and
 * falls into terms within the limits for any set of sparse tensors. The first byte is that set, repeated; an
 * error has words, and a column that the caret finds. */
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_notation.h"

static void print(tsr_text *text, const tsr_notation *notation)
{
    tsr_notation_print(text, notation);
    TSR_FUZZ_MUST(tsr_text_status(text, NULL) == TSR_OK);
}

static void parses_back(const tsr_notation *notation)
{
    tsr_text text = {0}, again = {0};
    tsr_notation *back = NULL;
    print(&text, notation);
    TSR_FUZZ_MUST(tsr_program_parse(&back, tsr_text_cstr(&text), NULL, NULL) == TSR_OK);
    print(&again, back);
    TSR_FUZZ_MUST(strcmp(tsr_text_cstr(&text), tsr_text_cstr(&again)) == 0);
    TSR_FUZZ_MUST(back->ntensors == notation->ntensors && back->nvars == notation->nvars &&
                  back->nfree == notation->nfree && back->rhs->height == notation->rhs->height &&
                  back->rhs->common == notation->rhs->common);
    tsr_notation_free(back);
    tsr_text_clear(&text);
    tsr_text_clear(&again);
}

static void explained(const char *text, tsr_status status, const tsr_error *err)
{
    TSR_FUZZ_MUST(err->status == status && err->message[0] != '\0');
    TSR_FUZZ_MUST(err->col <= strlen(text) + 1);
}

static void terms_hold(const tsr_notation *notation, uint32_t sparse)
{
    tsr_terms *terms = NULL;
    tsr_error err = {0};
    const tsr_status status = tsr_notation_terms(&terms, notation, sparse, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (terms != NULL));
    if (status != TSR_OK) {
        TSR_FUZZ_MUST(status == TSR_UNSUPPORTED || status == TSR_LIMIT);
        explained(notation->text, status, &err);
        return;
    }
    TSR_FUZZ_MUST(terms->nterms >= 1 && terms->nterms <= TSR_NOTATION_MAX_TERMS);
    for (int k = 0; k < terms->nterms; k++) {
        const tsr_term *term = &terms->term[k];
        TSR_FUZZ_MUST(term->nfactors >= 1 && term->nfactors <= TSR_NOTATION_MAX_FACTORS);
        for (int f = 0; f < term->nfactors; f++) {
            const tsr_expr *expr = term->factor[f].expr;
            const bool sum = expr->kind == TSR_EXPR_ADD || expr->kind == TSR_EXPR_SUB;
            TSR_FUZZ_MUST(sum || expr->kind == TSR_EXPR_NUMBER || expr->kind == TSR_EXPR_ACCESS ||
                          expr->kind == TSR_EXPR_CALL || expr->kind == TSR_EXPR_VAR ||
                          expr->kind == TSR_EXPR_BAND);
            TSR_FUZZ_MUST(!(expr->tensors & sparse) || !sum);
            TSR_FUZZ_MUST((expr->vars & ~term->vars) == 0);
        }
    }
    tsr_terms_free(terms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    if (nbytes == 0)
        return 0;
    char *text = malloc(nbytes);
    TSR_FUZZ_MUST(text != NULL);
    memcpy(text, data + 1, nbytes - 1);
    text[nbytes - 1] = '\0';
    tsr_notation *notation = NULL;
    tsr_error err = {0};
    const tsr_status status = tsr_program_parse(&notation, text, NULL, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (notation != NULL));
    if (status == TSR_OK) {
        parses_back(notation);
        terms_hold(notation, 0);
        terms_hold(notation, data[0] * UINT32_C(0x01010101));
        static const uint64_t row[TSR_NOTATION_MAX_ORDER] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4};
        const uint64_t *dims[TSR_NOTATION_MAX_TENSORS];
        for (int t = 0; t < notation->ntensors; t++)
            dims[t] = data[0] >> t % 8 & 1 ? row : NULL;
        uint64_t size[TSR_NOTATION_MAX_VARS];
        const tsr_status sized = tsr_notation_sizes(size, notation, dims, NULL, &err);
        if (sized != TSR_OK)
            explained(text, sized, &err);
    } else
        explained(text, status, &err);
    tsr_notation_free(notation);
    free(text);
    return 0;
}
