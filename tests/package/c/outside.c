/* A program outside the tree: reads a file in a storage format, and prints how large the tensor is. */
#include <stdio.h>
#include <tessera/tessera.h>

/* A static libtessera had a global function of this name. */
int merge_rows(void);
int merge_rows(void)
{
    return 0;
}

int main(int argc, char **argv)
{
    tessera_context *ctx = tessera_context_new();
    tessera_tensor *tensor = NULL;
    const tessera_read_options as = {.size = sizeof as, .format = argc > 2 ? argv[2] : "csr"};
    const tessera_status status = tessera_read(&tensor, argc > 1 ? argv[1] : "-", &as, ctx);
    if (status != TESSERA_OK)
        fprintf(stderr, "outside: %s\n", tessera_context_text(ctx));
    else
        printf("%llu values, %llu bytes\n", (unsigned long long)tessera_tensor_nnz(tensor),
               (unsigned long long)tessera_tensor_nbytes(tensor));
    tessera_tensor_free(tensor);
    tessera_context_free(ctx);
    return status != TESSERA_OK || merge_rows();
}
