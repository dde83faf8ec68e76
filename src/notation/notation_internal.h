/* What the files of notation share: tokens, and the state of the parser. */
#ifndef NOTATION_INTERNAL_H
#define NOTATION_INTERNAL_H

#include "tsr_arena.h"
#include "tsr_notation.h"

/* The kind of a token is its character, or one of these. */
enum {
    TOKEN_END = 0,
    TOKEN_NAME = 256,
    TOKEN_NUMBER,
    TOKEN_ADD_ASSIGN, /* += */
    TOKEN_MUL_ASSIGN, /* *= */
    TOKEN_LE,         /* <=, and the others: ==, !=, >= */
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_GE,
    TOKEN_OR_ASSIGN, /* |= */
    TOKEN_OTHER,     /* a character that begins no token: n = 0 */
};

typedef struct notation_token {
    int kind;
    const char *s; /* n bytes of the text */
    size_t n;
    double number; /* TOKEN_NUMBER: its value */
} notation_token;

/* The state of the parser. */
typedef struct notation_parser {
    tsr_notation *notation; /* names are added as they occur */
    notation_token token;   /* the current token */
    const char *behind;     /* the end of the token before */
    int nesting;
    int choices;   /* branches of c ? a : b around the current token */
    bool rewrites; /* parts were replaced: the notation is that of its own text */
    bool spreads;  /* a choice became a sum of bands */
    int ncopied;   /* parts of formulas */
    int ndefinitions;
    tsr_notation *const *definition; /* formulas with names, each the `A(i,j) : ...` of a statement before */
    bool
        in_where; /* the name of the result is the value of an entry, and only variables of the left are known */
    const tsr_function_list *functions; /* NULL: those of functions.def alone */
    tsr_error *err;
} notation_parser;

/* ---- notation_parse.c ---- */

tsr_status notation_parse_sum(const tsr_expr **out, notation_parser *parser) TSR_NODISCARD;
/* The current token, '(', a minus sign or '?', opens one more level of nesting; close it with nesting--. */
tsr_status notation_nest(notation_parser *parser) TSR_NODISCARD;
/* What a parser reads besides the text. */
typedef struct notation_given {
    const tsr_function_list *functions;
    int ndefinitions;
    tsr_notation *const *definition;
    bool defines; /* the text is a definition, whose notation has the formula as its right side */
} notation_given;
tsr_status notation_parse_given(tsr_notation **out, const char *text, const notation_given *given,
                                tsr_error *err) TSR_NODISCARD;
tsr_status notation_parse_access(const tsr_expr **out, notation_parser *parser) TSR_NODISCARD;
/* The operator `kind` at `col` with operands a and b (NULL: one operand). */
tsr_status notation_new_operator(const tsr_expr **out, const notation_parser *parser, tsr_expr_kind kind,
                                 uint32_t col, const tsr_expr *a, const tsr_expr *b) TSR_NODISCARD;
tsr_status notation_new_number(const tsr_expr **out, const notation_parser *parser, int number) TSR_NODISCARD;
tsr_status notation_new_var(const tsr_expr **out, const notation_parser *parser, int var) TSR_NODISCARD;
tsr_status notation_new_expr(tsr_expr **out, const notation_parser *parser, tsr_expr_kind kind,
                             uint32_t col) TSR_NODISCARD;
/* function(a, b), an operator at `col`. */
tsr_status notation_new_call(const tsr_expr **out, const notation_parser *parser,
                             const tsr_function *function, uint32_t col,
                             const tsr_expr *const arg[2]) TSR_NODISCARD;

/* ---- notation_band.c ---- */

/* Whether the current token, a name in front of a '(', begins a band. */
bool notation_is_band(const notation_parser *parser);
/* "eye(i,j)", "tril(i,j,-1)", "band(i,j,-1,1)". */
tsr_status notation_parse_band(const tsr_expr **out, notation_parser *parser) TSR_NODISCARD;
/* 1 where low <= v - u <= high. */
tsr_status notation_new_band(const tsr_expr **out, const notation_parser *parser, int u, int v, int64_t low,
                             int64_t high) TSR_NODISCARD;
void notation_print_band(tsr_text *text, const tsr_notation *notation, const tsr_expr *band);

/* ---- notation_ending.c ---- */

/* Whether the current token begins a selection: "top(". */
bool notation_is_selection(const notation_parser *parser);
/* "top(10, abs)" or "bottom(3)". */
tsr_status notation_parse_selection(tsr_selection *selection, notation_parser *parser) TSR_NODISCARD;
/* "where" and a condition, if the current token is that word. */
tsr_status notation_parse_where(notation_parser *parser) TSR_NODISCARD;
/* In a condition: the value of the entry, a variable of the left, or an operand at the coordinates of the entry. has_indices: a '('
 * is behind the current token. */
tsr_status notation_parse_operand(const tsr_expr **out, notation_parser *parser,
                                  bool has_indices) TSR_NODISCARD;
/* Refuse results whose rows an ending does not have. */
tsr_status notation_check_ending(const notation_parser *parser) TSR_NODISCARD;

/* ---- notation_condition.c ---- */

/* *a becomes name(*a, b), which begins in column `col` and ends before the current token. */
tsr_status notation_combine(const tsr_expr **a, notation_parser *parser, const char *name, uint32_t col,
                            const tsr_expr *b) TSR_NODISCARD;
/* condition ['?' choice ':' choice] */
tsr_status notation_parse_choice(const tsr_expr **out, notation_parser *parser) TSR_NODISCARD;
/* The same; a choice by the difference of two indices becomes a sum of bands. */
tsr_status notation_parse_value(const tsr_expr **out, notation_parser *parser) TSR_NODISCARD;
/* Whether e is `cond ? first : second`; a branch that is 0 is NULL. */
bool notation_take_choice(const tsr_expr **cond, const tsr_expr **first, const tsr_expr **second,
                          const tsr_expr *e);

/* ---- notation_formula.c ---- */

/* If *out is a choice by the difference of two indices that is 0 somewhere: make it a sum of bands. */
tsr_status notation_spread(const tsr_expr **out, notation_parser *parser) TSR_NODISCARD;
/* Whether a statement is a definition: "A(i,j) : ...". */
bool notation_begins_definition(const char *statement);
/* Refuse definitions of anything but a formula of the indices of the left. */
tsr_status notation_check_definition(const notation_parser *parser) TSR_NODISCARD;
/* The definition that the current token names; NULL: it names none. */
const tsr_notation *notation_find_definition(const notation_parser *parser);
/* The current token is the name of the definition: its formula, with the indices of the access. */
tsr_status notation_parse_defined(const tsr_expr **out, const tsr_notation *definition,
                                  notation_parser *parser) TSR_NODISCARD;

/* ---- notation_token.c and others ---- */

bool notation_is_word(const notation_token *token, const char *word);

/* Move to the token at p. TSR_SYNTAX and TSR_RANGE for a malformed number. */
tsr_status notation_token_at(notation_parser *parser, const char *p) TSR_NODISCARD;
/* Move to the next token. */
tsr_status notation_next(notation_parser *parser) TSR_NODISCARD;
/* Fail: "expected <expected>, not '<token>'". */
tsr_status notation_unexpected(const notation_parser *parser, const char *expected);
/* Move behind a token of this kind, or fail so. */
tsr_status notation_expect(notation_parser *parser, int kind, const char *expected) TSR_NODISCARD;
/* The column of a pointer into the text. */
uint32_t notation_col(const notation_parser *parser, const char *p);
/* The number of bytes of a name to quote in an error: n, but at most 40. */
int notation_quoted(size_t n);

/* The number of the tensor or variable with the name of the current token; a new name is added (a tensor with
 * order -1). TSR_ARGUMENT if the name has another use; TSR_LIMIT. */
tsr_status notation_use_tensor(int *tensor, notation_parser *parser) TSR_NODISCARD;
tsr_status notation_use_var(int *var, notation_parser *parser) TSR_NODISCARD;
/* Whether the current token, a name, is an index of an access somewhere in the text. */
bool notation_is_var(const notation_parser *parser);
/* ( FIRST, BEHIND [, STEP] ) or ( { COORDINATE, ... } ): the current token is the '('. */
tsr_status notation_parse_window(tsr_mode_window *window, notation_parser *parser) TSR_NODISCARD;
/* The reduction that the word (n characters) in front of a '=' names, or NULL. */
const tsr_semiring *notation_find_reduction(const char *s, size_t n);
/* The function with that name (n characters), or NULL. */
const tsr_function *notation_find_function(const notation_parser *parser, const char *s, size_t n);
/* Whether a third argument may follow the second. */
bool notation_takes_third(const tsr_function *function);
/* The error of NAME(A(...)), where NAME is not a function. */
tsr_status notation_unknown_function(const notation_parser *parser, const char *name,
                                     uint32_t col) TSR_NODISCARD;
/* Note that the access at column `col` has `order` indices. TSR_ARGUMENT if another access of the tensor has
 * a different number. */
tsr_status notation_use_order(notation_parser *parser, int tensor, int order, uint32_t col) TSR_NODISCARD;

#endif
