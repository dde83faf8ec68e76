/* Tables of commands with several passes: see bench_pages.h. */
#include "bench_pages.h"

#include <stdlib.h>

#include "tsr_alloc.h"

void bench_pages_pass(bench_pages *pages, bool last)
{
    pages->last = last;
    pages->at = 0;
}

FILE *bench_pages_open(bench_pages *pages, tsr_error *err)
{
    pages->to = open_memstream(&pages->next.text, &pages->next.nbytes);
    if (!pages->to)
        (void)tsr_fail(err, TSR_NOMEM, "out of memory for a table");
    return pages->to;
}

static void print(bench_pages *pages, const bench_page *page)
{
    if (pages->nprinted++)
        putchar('\n');
    fwrite(page->text, 1, page->nbytes, stdout);
    fflush(stdout);
}

/* Make room for one more page. */
static tsr_status grow(bench_pages *pages, tsr_error *err)
{
    if (pages->n == pages->capacity) {
        const int capacity = pages->capacity ? 2 * pages->capacity : 16;
        bench_page *const larger = tsr_realloc(pages->pages, (size_t)capacity * sizeof *larger);
        if (!larger)
            return tsr_fail(err, TSR_NOMEM, "out of memory for %d tables", capacity);
        pages->pages = larger;
        pages->capacity = capacity;
    }
    pages->pages[pages->n++] = (bench_page){0};
    return TSR_OK;
}

tsr_status bench_pages_close(bench_pages *pages, tsr_error *err)
{
    const bool whole = fclose(pages->to) == 0 && pages->next.text;
    tsr_status status = whole ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory for a table");
    if (status == TSR_OK && pages->at == pages->n)
        status = grow(pages, err);
    if (status == TSR_OK) {
        free(pages->pages[pages->at].text);
        pages->pages[pages->at] = pages->next;
        if (pages->last)
            print(pages, &pages->pages[pages->at]);
        pages->at++;
    } else {
        free(pages->next.text);
    }
    pages->next = (bench_page){0};
    pages->to = NULL;
    return status;
}

void bench_pages_clear(bench_pages *pages)
{
    for (int i = 0; i < pages->n; i++) {
        if (i >= pages->nprinted)
            print(pages, &pages->pages[i]);
        free(pages->pages[i].text);
    }
    tsr_free(pages->pages);
    *pages = (bench_pages){0};
}
