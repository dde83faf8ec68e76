/* Unknown words: which of the known ones was probably meant. One function for options, formats, kernels, data sets,
 * commands and all other names that users type.
 *
 * The distance of two words is the number of slips between them: a letter too many, too few, wrong, or swapped with its
 * neighbour. Upper and lower case are one letter, so are '-' and '_'. A word that begins a longer one is one slip away. */
#ifndef TSR_SUGGEST_H
#define TSR_SUGGEST_H

#include <stddef.h>

#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_SUGGEST_MAX_NEAR = 4 };

/* Filled by tsr_suggest_begin, then by one tsr_suggest_offer for each known word; tsr_suggest_fail ends it. */
typedef struct tsr_suggest {
    const char *given; /* the unknown word, borrowed: ngiven bytes */
    size_t ngiven;
    int nslips; /* of the words below; at first one more than is near */
    int nnear;  /* known words that are so near; above TSR_SUGGEST_MAX_NEAR: too many to name */
    const char *near[TSR_SUGGEST_MAX_NEAR]; /* borrowed, in the order in which they were offered */
    tsr_text known;                         /* all words: "a, b, c" */
} tsr_suggest;

void tsr_suggest_begin(tsr_suggest *suggest, const char *given, size_t ngiven);
/* `word` must live as long as the suggestion. */
void tsr_suggest_offer(tsr_suggest *suggest, const char *word);
/* The same for another name of the word: where exactly this name is given, the word is the only near one. Upper and
 * lower case are equal. */
void tsr_suggest_alias(tsr_suggest *suggest, const char *alias, const char *word);
/* Append "; did you mean csr or csc?", or nothing where no known word is near, or more than TSR_SUGGEST_MAX_NEAR are.
 * `dashes` stand before each word: "--" for options, else "". */
void tsr_suggest_print(tsr_text *text, const tsr_suggest *suggest, const char *dashes);
/* The error "unknown WHAT 'GIVEN'; did you mean csr?", or where no word is near "unknown WHAT 'GIVEN' (known: a, b, c)" ("missing WHAT" for an empty word), with
 * status and column (0: none). Ends the suggestion; returns the status. */
tsr_status tsr_suggest_fail(tsr_suggest *suggest, tsr_status status, size_t col, const char *what,
                            tsr_error *err);
/* The same for a list of words, NULL at its end. */
tsr_status tsr_suggest_fail_words(tsr_status status, const char *what, const char *given,
                                  const char *const *words, tsr_error *err);
void tsr_suggest_clear(tsr_suggest *suggest);

#ifdef __cplusplus
}
#endif
#endif
