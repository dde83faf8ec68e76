/* Reading a file by ranks, with inputs in read-only pages. */
#ifndef GUARDED_RANKS_H
#define GUARDED_RANKS_H

#include "guarded.h"
#include "guarded_tensors.h"
#include "lone_rank.h"

static void by_ranks(const char *path)
{
    guards in = {0};
    tessera_tensor *A = NULL;
    const tessera_ranks ranks = lone_rank;
    const tessera_read_options options = {.size = sizeof options};
    const tessera_status status =
        tessera_read_ranks(&A, NULL, guard_text(&in, path), guard(&in, &options, sizeof options),
                           guard(&in, &ranks, sizeof ranks), ctx);
    assert_true(status == TESSERA_OK || status == TESSERA_UNSUPPORTED);
    guard_check(&in);
    guard_away(&in, true);
    if (A)
        (void)guard_tensor_sum(A);
    guard_away(&in, false);
    tessera_tensor_free(A);
    guard_clear(&in);
}

#endif
