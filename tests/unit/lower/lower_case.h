/* One expression on random tensors, lowered, interpreted, and compared with the oracle. */
#ifndef LOWER_CASE_H
#define LOWER_CASE_H

#include "dense.h"
#include "tsr_lower.h"
#include "tsr_test.h"

typedef struct lower_case {
    const char *expression;
    const char
        *formats;      /* of the tensors but those at the end that are dense: "A:ds x:d"; others are dense */
    const char *sizes; /* "i=5 j=7" */
    const char *schedule; /* NULL: automatic */
    double density;       /* of sparse tensors; 0: 0.3 */
    tsr_type type;        /* of all tensors */
    const char *types;    /* but for these: "A:pattern; x:f32" */
    bool has_inf;         /* some dense operands hold infinities and NaN */
    uint64_t inf_odds;    /* one entry in so many; 0: in 3 */
    bool known;           /* the schedule is told the numbers of positions */
    bool is_iso;          /* sparse operands have one value */
    uint64_t seed;
    int planned; /* threads that the schedule plans for; 0: 2 */
} lower_case;

/* Run with threads 1, 2, 3, 7; fails the test when an answer is wrong. exact: results of different numbers of
 * threads must be equal, too. Returns false where lowering refuses (the sentence is in err). */
bool lower_case_run(const lower_case *c, tsr_error *err);

/* The same without running, for texts. */
typedef struct lower_case_program {
    tsr_notation *notation;
    int ntensors;
    tsr_tensor *tensor[TSR_NOTATION_MAX_TENSORS];
    tsr_format *format[TSR_NOTATION_MAX_TENSORS];
    tsr_binding *binding[TSR_NOTATION_MAX_TENSORS];
    tsr_plan_operand operand[TSR_NOTATION_MAX_TENSORS];
    uint64_t size[TSR_NOTATION_MAX_VARS];
    tsr_schedule schedule;
    tsr_lowered *lowered;
} lower_case_program;
/* What tsr_lower takes, without tensors: widths are 32 bits. */
void lower_case_set_up(lower_case_program *p, const lower_case *c);
/* Plan and lower it; `how` is completed by the case; also append the plan as text unless `text` is NULL. TSR_UNSUPPORTED for a plan that merges. */
tsr_status lower_case_make(tsr_lowered **out, tsr_text *text, const lower_case_program *p,
                           const tsr_plan_request *how, tsr_error *err) TSR_NODISCARD;
/* And the program. */
void lower_case_lower(lower_case_program *p, const lower_case *c);
void lower_case_clear(lower_case_program *p);

#endif
