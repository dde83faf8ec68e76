/* The lists in a tsr_brief. */
#include "tsr_brief.h"

#include <string.h>

/* A block with room for one more than n elements of `size` bytes; it grows at powers of two. NULL: out of
 * memory, and the old block stays valid. */
static void *grow(void *block, int n, size_t size)
{
    if (n & (n - 1))
        return block;
    return tsr_realloc(block, (n ? 2 * (size_t)n : 1) * size);
}

tsr_brief_tensor *tsr_brief_add(tsr_brief *brief, const char *group)
{
    char *const name = tsr_strdup(group);
    tsr_brief_tensor *const tensors = name ? grow(brief->tensors, brief->ntensors, sizeof *tensors) : NULL;
    if (!tensors) {
        tsr_free(name);
        return NULL;
    }
    brief->tensors = tensors;
    tsr_brief_tensor *const added = &tensors[brief->ntensors++];
    *added = (tsr_brief_tensor){.group = name, .order = -1};
    return added;
}

tsr_status tsr_brief_add_array(tsr_brief_tensor *tensor, const tsr_brief_array *array, tsr_error *err)
{
    tsr_brief_array *const arrays = grow(tensor->arrays, tensor->narrays, sizeof *arrays);
    if (!arrays)
        return tsr_fail(err, TSR_NOMEM, "out of memory: the list of a file's arrays");
    tensor->arrays = arrays;
    arrays[tensor->narrays++] = *array;
    return TSR_OK;
}

static void clear_tensor(tsr_brief_tensor *tensor)
{
    tsr_free(tensor->group);
    tsr_format_free(tensor->format);
    tsr_free(tensor->arrays);
    tsr_text_clear(&tensor->attributes);
}

void tsr_brief_clear(tsr_brief *brief)
{
    for (int i = 0; i < brief->ntensors; i++)
        clear_tensor(&brief->tensors[i]);
    tsr_free(brief->tensors);
    tsr_text_clear(&brief->head);
    memset(brief, 0, sizeof *brief);
}
