/* The names of XLA's element types. */
#include "xla_internal.h"

#include <string.h>

static const struct {
    const char *name;
    int nbits;
} types[] = {
#define X(name, nbits) {#name, nbits},
#include "xla_types.def"
#undef X
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* The index in `types` of the name with n characters, -1 if there is none. */
static int find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t k = 0;
        while (k < n && types[i].name[k] != '\0' && lower(name[k]) == types[i].name[k])
            k++;
        if (k == n && types[i].name[k] == '\0')
            return (int)i;
    }
    return -1;
}

bool xla_find_type(char out[TSR_XLA_TYPE_NBYTES], const char *name, size_t n)
{
    const int i = find(name, n);
    if (i >= 0)
        memcpy(out, types[i].name, strlen(types[i].name) + 1);
    return i >= 0;
}

int64_t tsr_xla_type_nbits(const char *type)
{
    const int i = find(type, strlen(type));
    return i < 0 ? 0 : types[i].nbits;
}

int64_t tsr_xla_element_nbits(const tsr_xla *xla)
{
    return xla->element_nbits > 0 ? xla->element_nbits : tsr_xla_type_nbits(xla->type);
}
