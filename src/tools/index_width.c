/* --index: see index_width.h. */
#include "index_width.h"

#include "options.h"

static const char *const words[] = {"auto", "8", "16", "32", "64", "narrow", NULL};
static const tsr_index_width widths[] = {TSR_INDEX_AUTO, TSR_INDEX_8,  TSR_INDEX_16,
                                         TSR_INDEX_32,   TSR_INDEX_64, TSR_INDEX_NARROW};

tsr_status tsr_cli_parse_index(tsr_cli_index_word *out, const char *text, tsr_error *err)
{
    return tsr_cli_parse_word(out, text, words, err);
}

tsr_index_width tsr_cli_index_width(tsr_cli_index_word word, int nbits)
{
    if (word == 0 && nbits > 0)
        return tsr_index_width_of(nbits);
    return widths[word];
}
