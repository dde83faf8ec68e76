/* Schedules: what a user asks of a plan. Everything that a schedule leaves open the plan decides. */
#ifndef TSR_SCHEDULE_H
#define TSR_SCHEDULE_H

#include "tsr_notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How threads add to a result whose elements several of them may touch. */
typedef enum tsr_sharing {
    TSR_SHARE_AUTO,
    TSR_SHARE_EXCLUSIVE, /* each element belongs to one thread: work is cut where the result's coordinate
                            changes */
    TSR_SHARE_PRIVATE,   /* a copy per thread; the touched intervals are added up at the end */
    TSR_SHARE_ATOMIC
} tsr_sharing;

/* Loops that a plan may have besides plain ones; special.def. A set of them has bit 1 << special for each. */
typedef enum tsr_special {
#define X(NAME, name, text) TSR_SPECIAL_##NAME,
#include "special.def"
#undef X
    TSR_NSPECIALS
} tsr_special;

/* How a loop over several sparse operands of a product finds the coordinates that all of them store. */
typedef enum tsr_plan_walk {
    TSR_PLAN_WALK_AUTO,   /* located where possible, else merged in steps that double */
    TSR_PLAN_WALK_MERGE,  /* merged step by step */
    TSR_PLAN_WALK_GALLOP, /* merged in steps that double */
    TSR_PLAN_WALK_LOCATE  /* one operand is walked, and the other is looked up in a table */
} tsr_plan_walk;

/* The workspace in which the contributions to a row are collected. */
typedef enum tsr_plan_workspace {
    TSR_PLAN_WORKSPACE_AUTO,
    TSR_PLAN_WORKSPACE_DENSE, /* an array over variables of the result, whose coordinates are listed and sorted */
    TSR_PLAN_WORKSPACE_BITMAP, /* an array over one variable, whose coordinates are marked */
    TSR_PLAN_WORKSPACE_HASH,   /* a hash table of the coordinates, which are listed and sorted */
    TSR_PLAN_WORKSPACE_LIST /* a list of all contributions, which is sorted; in a request that names no variables: the
                                * sink LIST */
} tsr_plan_workspace;

/* How many passes make a sparse result. */
typedef enum tsr_plan_assembly {
    TSR_PLAN_ASSEMBLY_AUTO,
    TSR_PLAN_ASSEMBLY_TWO_PASS, /* one that counts entries, one that stores them */
    TSR_PLAN_ASSEMBLY_APPEND    /* one that appends entries */
} tsr_plan_assembly;

enum { TSR_SCHEDULE_FORMAT = 48 /* bytes of the text of a format in a schedule */ };
#define TSR_SCHEDULE_WALK "walk" /* instead of a format, of the item walk(A) */

/* How rows are made (tsr_plan_rows), and how far ahead they are read; 0: automatic; < 0: no row is marked, or listed. */
typedef struct tsr_schedule_ways {
    int marked, listed;
    int piece; /* entries of the pieces that threads make; 0: automatic */
    int stream,
        rows; /* the distance of prefetches in lists that are read in order, and in loops that merge; 0: as `prefetch` */
    bool
        usual; /* numbers are for the loops that have them anyway; if none has, prefetch, stream and lanes ask for them */
} tsr_schedule_ways;

/* What the text of a plan says of a term. */
typedef struct tsr_schedule_term {
    uint8_t
        driver; /* the operand whose levels the loops walk; 0: they merge, or have the ranges of variables */
    uint32_t located; /* bit t: operand t is located */
    uint8_t norder,
        order
            [TSR_NOTATION_MAX_VARS]; /* of loops that merge: all of them, the outermost first; 0: as the plan chooses */
    bool one;                        /* one thread runs them */
    uint8_t var,
        level; /* the variable of the loop that is cut, + 1; else the level of the driver, + 1; 0: neither */
    tsr_sharing sharing;
} tsr_schedule_term;

enum { TSR_SCHEDULE_MAX_TERMS = 32 /* terms after these are as the plan chooses */ };

/* What it says of all terms. */
typedef struct tsr_schedule_said {
    bool merges; /* loops merge: each term has its orders and operands */
    int nterms;
    tsr_schedule_term term[TSR_SCHEDULE_MAX_TERMS]; /* nterms of them, in the order of the text */
} tsr_schedule_said;

/* How to run the program; all zero: automatic. The text form has items separated by ',', each NAME or
 * NAME(arguments); schedule.def lists them. An item that cannot be followed is refused: vectorize, block and
 * unroll of a variable that only levels bind, and exclusive where threads would touch the same elements. docs/kernels.md describes the automatic rules. */
typedef struct tsr_schedule {
    bool serial, deterministic, scalar;
    bool plain; /* serial and scalar, prefetch and lanes < 0, no special rows */
    uint32_t
        without; /* bit s: special loops s are left out; bit TSR_NSPECIALS + p: pass p (tsr_passes.h) is */
    tsr_sharing sharing;
    int parallel_var; /* variable + 1; 0: automatic */
    int vector_var;   /* variable + 1; 0: automatic */
    bool literal
        [TSR_NOTATION_MAX_VARS]; /* the size of the variable is a literal (besides the automatic ones) */
    uint32_t block[TSR_NOTATION_MAX_VARS];  /* 0: not blocked */
    uint32_t unroll[TSR_NOTATION_MAX_VARS]; /* 0: automatic */
    int prefetch;                           /* 0: automatic; < 0: do not prefetch; > 0: the distance */
    int lanes; /* bytes of the sums in which the entries of a list are added up; 0: automatic; < 0: one sum */
    int vector_nbytes; /* 0: 64 */
    /* of programs of a plan alone: */
    uint8_t norder;
    uint8_t order[TSR_NOTATION_MAX_VARS]; /* reorder: norder variables, the outermost loop first */
    tsr_plan_workspace workspace;         /* workspace: where the contributions to a sparse result go */
    uint32_t workspace_vars;              /* bit v: the workspace spans variable v */
    uint8_t walk[TSR_NOTATION_MAX_VARS];  /* tsr_plan_walk of each variable */
    tsr_plan_assembly assembly;
    tsr_schedule_ways ways;
    /* of kernels: */
    char convert
        [TSR_NOTATION_MAX_TENSORS]
        [TSR_SCHEDULE_FORMAT]; /* the format that each operand is converted to; "": the automatic choice */
    bool precomputes;          /* whether the schedule determines which operands are multiplied first: */
    uint32_t precompute;       /* bit t: operand t; 0: one nest has all operands */
    tsr_schedule_said said;
} tsr_schedule;

/* Parse the text form; NULL or "" is automatic. TSR_SYNTAX or TSR_ARGUMENT with err->col; TSR_ARGUMENT
 * without col for items that exclude each other. */
tsr_status tsr_schedule_parse(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                              tsr_error *err) TSR_NODISCARD;
/* Append the text form, which parses back to the same schedule. whole: the notation whose operands `precompute` numbers. */
void tsr_schedule_print(tsr_text *text, const tsr_schedule *schedule, const tsr_notation *notation,
                        const tsr_notation *whole);

/* Add to the schedule what the text of a plan (tsr_plan_print) says; special loops that it lacks are left out. TSR_UNSUPPORTED for
 * a term with two loops over a variable, and numbers that no loop can have. */
tsr_status tsr_schedule_read_plan(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                                  tsr_error *err) TSR_NODISCARD;
/* Add to *out the items of `from` about the program that no loop shows: deterministic, plain, scalar, width, vectorize, unroll, literal,
 * and the passes that are left out. */
void tsr_schedule_take_program(tsr_schedule *out, const tsr_schedule *from);
/* Whether an item is about a loop, an operand or the result, not about the whole program. */
bool tsr_schedule_names_parts(const tsr_schedule *schedule);

/* Item k of the list of all items, schedule.def; NULL: there are k items. */
typedef struct tsr_schedule_item {
    const char *example, *help; /* "block(r,16)"; one sentence without a capital and a full stop */
} tsr_schedule_item;
const tsr_schedule_item *tsr_schedule_item_at(int k);

#ifdef __cplusplus
}
#endif
#endif
