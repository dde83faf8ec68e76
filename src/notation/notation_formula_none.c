/* A build without operands by formula (TSR_WITH_FORMULAS=OFF): choices are functions, which are computed everywhere. */
#include "notation_internal.h"
#include "tsr_version.h"

tsr_status notation_spread(const tsr_expr **out, notation_parser *parser)
{
    (void)out, (void)parser;
    return TSR_OK;
}

bool notation_begins_definition(const char *statement)
{
    (void)statement;
    return false;
}

tsr_status notation_check_definition(const notation_parser *parser)
{
    return tsr_fail_without("FORMULAS", parser->err);
}

const tsr_notation *notation_find_definition(const notation_parser *parser)
{
    (void)parser;
    return NULL;
}

tsr_status notation_parse_defined(const tsr_expr **out, const tsr_notation *definition,
                                  notation_parser *parser)
{
    (void)out, (void)definition;
    return tsr_fail_without("FORMULAS", parser->err);
}
