/* The statements of a gradient, as text. */
#include "door_internal.h"
#include "tsr_notation.h"

tessera_status tessera_gradient(char **out, const char *expression, const char *operand, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_notation *notation = NULL;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_need(expression, "expression", call.err));
    TSR_TRY_OUT(door_need(operand, "operand", call.err));
    TSR_TRY_OUT(tsr_program_parse(&notation, expression, NULL, call.err));
    TSR_TRY_OUT(tsr_notation_gradient(&text, notation, operand, call.err));
    status = tsr_text_take(out, &text, call.err);
out:
    tsr_notation_free(notation);
    tsr_text_clear(&text);
    return door_end(&call, status);
}
