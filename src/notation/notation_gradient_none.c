/* A build without gradients (TSR_WITH_GRADIENTS=OFF): see tsr_notation.h. */
#include "tsr_notation.h"
#include "tsr_version.h"

tsr_status tsr_notation_gradient(tsr_text *text, const tsr_notation *notation, const char *operand,
                                 tsr_error *err)
{
    (void)text, (void)notation, (void)operand;
    return tsr_fail_without("GRADIENTS", err);
}
