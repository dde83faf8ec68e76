/* Names of indices: see tsr_labels.h. */
#include "tsr_labels.h"

#include <string.h>

tsr_status tsr_names_add(tsr_names *names, const char *name, size_t nbytes, tsr_error *err)
{
    enum { FIRST = 64 };
    if (names->n == names->capacity) {
        const uint64_t capacity = names->capacity ? 2 * names->capacity : FIRST;
        uint64_t *const at = tsr_realloc(names->at, capacity * sizeof *at);
        if (!at)
            return tsr_fail(err, TSR_NOMEM, "out of memory: names of indices");
        names->at = at;
        names->capacity = capacity;
    }
    const size_t k = strnlen(name, nbytes);
    const uint64_t begin = names->text.nbytes;
    tsr_text_add_n(&names->text, name, k);
    tsr_text_add_n(&names->text, "", 1);
    TSR_TRY(tsr_text_status(&names->text, err));
    names->at[names->n++] = begin;
    return TSR_OK;
}

const char *tsr_names_get(const tsr_names *names, uint64_t i)
{
    return names->text.s + names->at[i];
}

tsr_status tsr_names_take(tsr_names *out, const tsr_names *from, const uint64_t *index, uint64_t n,
                          tsr_error *err)
{
    tsr_names taken = {.n = 0};
    for (uint64_t i = 0; i < n; i++) {
        const char *const name = index[i] == UINT64_MAX ? "" : tsr_names_get(from, index[i]);
        const tsr_status status = tsr_names_add(&taken, name, strlen(name), err);
        if (status != TSR_OK) {
            tsr_names_clear(&taken);
            return status;
        }
    }
    *out = taken;
    return TSR_OK;
}

size_t tsr_names_longest(const tsr_names *names)
{
    size_t most = 0;
    for (uint64_t i = 0; i < names->n; i++) {
        const size_t k = strlen(tsr_names_get(names, i));
        most = k > most ? k : most;
    }
    return most;
}

void tsr_names_clear(tsr_names *names)
{
    tsr_text_clear(&names->text);
    tsr_free(names->at);
    *names = (tsr_names){.n = 0};
}

tsr_labels *tsr_labels_new(void)
{
    return tsr_calloc(1, sizeof(tsr_labels));
}

void tsr_labels_free(tsr_labels *labels)
{
    for (int m = 0; labels && m < TSR_MAX_ORDER; m++)
        tsr_names_clear(&labels->modes[m]);
    tsr_free(labels);
}

bool tsr_labels_any(const tsr_labels *labels)
{
    for (int m = 0; labels && m < TSR_MAX_ORDER; m++)
        if (labels->modes[m].n > 0)
            return true;
    return false;
}

const tsr_names *tsr_labels_of(const tsr_labels *labels, int mode, uint64_t dim)
{
    return labels && dim > 0 && labels->modes[mode].n == dim ? &labels->modes[mode] : NULL;
}
