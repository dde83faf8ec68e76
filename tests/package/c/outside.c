/* A program outside the tree: reads a file, packs it, says how large it came out. */
#include <stdio.h>
#include <tessera.h>

int main(int argc, char **argv)
{
    tsr_error err;
    tsr_data data = {0};
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    tsr_status s = tsr_read(&data, argc > 1 ? argv[1] : "-", NULL, NULL, &err);
    if (!s)
        s = tsr_format_parse(&format, argc > 2 ? argv[2] : "csr", data.coo->order, data.coo->dims, &err);
    if (!s) {
        s = tsr_pack(&tensor, data.coo, format, NULL, NULL, &err);
        data.coo = NULL;
    }
    if (s)
        fprintf(stderr, "outside: %s\n", err.message);
    else
        printf("%llu values, %llu bytes\n", (unsigned long long)tensor->npos,
               (unsigned long long)tsr_tensor_nbytes(tensor));
    tsr_tensor_free(tensor);
    tsr_format_free(format);
    tsr_data_clear(&data);
    return s != TSR_OK;
}
