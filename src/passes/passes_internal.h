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
/* The statement from s on, in its block, that declares the variable; NULL: none does. */
const tsr_ir_stmt *pass_declaration(const tsr_ir_stmt *s, const tsr_ir_var *var);
/* Whether two indices are the same at two places without a store between, where all variables are constants. */
bool pass_is_same(const tsr_ir_expr *x, const tsr_ir_expr *y);
/* Take the statement after `before` (NULL: the first one) out of the block. */
void pass_unlink(tsr_ir_block *block, tsr_ir_stmt *before);
/* Call visit for each loop with the mark, which is taken away; loops inside come first. before: the statement before the loop in the
 * block, or NULL. */
typedef tsr_status pass_loop(tsr_ir *ir, tsr_ir_block *block, tsr_ir_stmt *before, tsr_ir_stmt *loop,
                             tsr_error *err);
tsr_status pass_each_loop(tsr_ir *ir, tsr_ir_block *block, tsr_ir_mark mark, pass_loop *visit,
                          tsr_error *err) TSR_NODISCARD;
/* A copier of statements of the program; free its tables with pass_copier_clear. */
tsr_status pass_copier_init(tsr_ir_copier *c, const tsr_ir *ir, tsr_error *err) TSR_NODISCARD;
void pass_copier_clear(tsr_ir_copier *c);

/* Groups of a loop's iterations, `each` of the loop in each group. */
typedef struct pass_grouping {
    const tsr_ir_expr *begin, *end, *n; /* of the loop; the number of groups */
    const tsr_ir_expr *first;           /* the first iteration of the group */
} pass_grouping;
/* Open a loop over the groups before the loop; close it, and leave the other iterations to the loop itself. */
void pass_open_groups(pass_grouping *g, tsr_ir_builder *b, const tsr_ir_stmt *loop);
void pass_close_groups(const pass_grouping *g, tsr_ir_builder *b, tsr_ir_stmt *loop);
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
