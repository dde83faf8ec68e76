/* What the files of passes share. Statements and expressions of a program belong to its arena, so a pass may change them in place;
 * nothing else holds them between two passes. */
#ifndef PASSES_INTERNAL_H
#define PASSES_INTERNAL_H

#include "tsr_ir.h"
#include "tsr_passes.h"

/* How often the program uses each variable and array. */
typedef struct pass_uses {
    int *reads, *assigns; /* nvars: of the variable, without its declaration */
} pass_uses;

/* A pass: changes the program; TSR_NOMEM. */
typedef tsr_status pass_function(tsr_ir *ir, tsr_error *err);

#define X(NAME, name) pass_function pass_##name;
#include "passes.def"
#undef X

/* Count the uses of all variables; free them with pass_uses_clear. */
tsr_status pass_count(pass_uses *out, const tsr_ir *ir, tsr_error *err) TSR_NODISCARD;
void pass_uses_clear(pass_uses *uses);
/* Whether x, or an expression of the statement itself (not of its blocks), reads the variable. */
bool pass_reads(const tsr_ir_expr *x, const tsr_ir_var *var);
/* Whether two indices are the same at two places without a store between, where all variables are constants. */
bool pass_is_same(const tsr_ir_expr *x, const tsr_ir_expr *y);
/* x with f of its parts instead of them: f returns NULL for a part whose own parts are mapped. NULL after an error of the builder. */
typedef const tsr_ir_expr *pass_mapping(void *arg, const tsr_ir_expr *x);
const tsr_ir_expr *pass_map(tsr_ir *ir, const tsr_ir_expr *x, pass_mapping *f, void *arg);
/* Call see for each expression of the statement itself, for NULL too. */
void pass_each_expr(const tsr_ir_stmt *s, void (*see)(void *arg, const tsr_ir_expr *x), void *arg);
/* Take the statement after `before` (NULL: the first one) out of the block. */
void pass_unlink(tsr_ir_block *block, tsr_ir_stmt *before);
/* A node of the program as one that may be changed. */
static inline tsr_ir_var *pass_var(const tsr_ir_var *var)
{
    return (tsr_ir_var *)(uintptr_t)var;
}
static inline tsr_ir_array *pass_array(const tsr_ir_array *array)
{
    return (tsr_ir_array *)(uintptr_t)array;
}
static inline tsr_ir_expr *pass_expr(const tsr_ir_expr *x)
{
    return (tsr_ir_expr *)(uintptr_t)x;
}

#endif
