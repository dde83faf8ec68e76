/* Rows of a tensor whose formats nest levels, one for each mode: a tensor that borrows them, and copies of them. */
#ifndef TSR_ROWS_H
#define TSR_ROWS_H

#include "tsr_tensor.h"

/* Let `to` borrow n elements from element `first` on. */
void tsr_rows_borrow(tsr_array *to, const tsr_array *from, uint64_t first, uint64_t n);
/* Whether the arrays have the lengths that the levels need. */
bool tsr_rows_are_whole(const tsr_tensor *t);
/* Let the levels of `to` borrow all arrays of those of `from`, which has the same format and dims. */
void tsr_rows_share_levels(tsr_tensor *to, const tsr_tensor *from);
/* Make *view the rows [lo, hi) of the mode of the tensor, which is whole, and whose first level stores the mode: it borrows values and
 * coordinates. *view is moved, or made anew where it has another number of rows; NULL: there is none. TSR_NOMEM; TSR_ARGUMENT: positions fall. */
tsr_status tsr_rows_place(tsr_tensor **view, const tsr_tensor *from, int mode, uint64_t lo, uint64_t hi,
                          tsr_error *err) TSR_NODISCARD;
/* Copy the levels of rows [*lo, *hi) of `from` into `to`, whose levels have the same lengths; is_last: and the positions at which they
 * end. *lo and *hi become the positions of their values. */
void tsr_rows_copy_levels(tsr_tensor *to, const tsr_tensor *from, uint64_t *lo, uint64_t *hi, bool is_last);

#endif
