/* Kernels over a file, and reading by ranks, with inputs in read-only pages. */
#ifndef GUARDED_FILES_H
#define GUARDED_FILES_H

#include "guarded.h"
#include "guarded_tensors.h"
#include "lone_rank.h"

/* A sum over the file, which stays as it is. */
static void sum_file(guards *in, const char *given, int order)
{
    static const char *const expressions[] = {"s = A", "s = A(i)", "s = A(i,j)", "s = A(i,j,k)"};
    const tessera_kernel_options options = {.size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER};
    const tessera_read_options read = {.size = sizeof read, .memory_nbytes = 64 << 20};
    const tessera_tensor *const none[] = {NULL};
    tessera_kernel *k;
    tessera_tensor *s;
    door_ok(tessera_kernel_new(&k, expressions[order], &options, ctx));
    /* not every kind of file is read in parts */
    if (tessera_kernel_call_file(&s, k, guard(in, none, sizeof none), given, guard(in, &read, sizeof read),
                                 ctx) != TESSERA_OK)
        assert_int_equal(tessera_context_status(ctx), TESSERA_UNSUPPORTED);
    tessera_tensor_free(s);
    tessera_kernel_free(k);
}

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
