// A C++ program outside the tree: all doors compile as C++, and the library does what it does for C.
#include <cstdio>
#include <cstring>
#include <tessera.h>

#if TSR_VERSION_NUMBER < 100
#error "0.1.0 is version number 100"
#endif

static tsr_status pack(unsigned long long *npos, const char *path, const char *format_text, tsr_error *err)
{
    tsr_data data{};
    tsr_format *format = nullptr;
    tsr_tensor *tensor = nullptr;
    TSR_TRY(tsr_read(&data, path, nullptr, nullptr, err));
    tsr_status status = tsr_format_parse(&format, format_text, data.coo->order, data.coo->dims, err);
    if (status == TSR_OK) {
        status = tsr_pack(&tensor, data.coo, format, nullptr, nullptr, err);
        data.coo = nullptr;
    }
    *npos = tensor ? tensor->npos : 0;
    tsr_tensor_free(tensor);
    tsr_format_free(format);
    tsr_data_clear(&data);
    return status;
}

int main(int argc, char **argv)
{
    tsr_error err{};
    unsigned long long npos = 0;
    if (std::strcmp(tsr_version(), TSR_VERSION) != 0) {
        std::fprintf(stderr, "outside: headers of %s, library of %s\n", TSR_VERSION, tsr_version());
        return 1;
    }
    if (pack(&npos, argc > 1 ? argv[1] : "-", argc > 2 ? argv[2] : "csr", &err) != TSR_OK) {
        std::fprintf(stderr, "outside: %s\n", err.message);
        return 1;
    }
    std::printf("%llu values\n", npos);
    return 0;
}
