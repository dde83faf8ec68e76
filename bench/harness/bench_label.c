/* Words for rows: see bench_label.h. */
#include "bench_label.h"

#include <stdio.h>
#include <string.h>

char *bench_kernel_label(char *buf, const bench_row *row)
{
    int n = snprintf(buf, 200, "%.160s", row->kernel);
    if (row->has_mode)
        n += snprintf(buf + n, 32, ", mode %d", row->mode);
    if (row->rank)
        n += snprintf(buf + n, 32, ", rank %d", row->rank);
    if (row->type && strcmp(row->type, "f64") != 0)
        n += snprintf(buf + n, 32, ", %.24s", row->type);
    if (row->cold)
        snprintf(buf + n, 32, ", cold");
    return buf;
}

char *bench_dataset_label(char *buf, const bench_row *row)
{
    snprintf(buf, BENCH_LABEL_NBYTES, "%.400s%s", row->dataset.name ? row->dataset.name : "",
             row->dataset.stand_in ? " (stand-in)" : "");
    return buf;
}

char *bench_candidate_label(char *buf, const bench_row *row)
{
    const char *const format = row->format ? row->format : "";
    if (*format && strcmp(row->candidate, "tessera") == 0)
        snprintf(buf, BENCH_LABEL_NBYTES, "%.250s", format);
    else
        snprintf(buf, BENCH_LABEL_NBYTES, "%.250s%s%.250s", row->candidate, *format ? " " : "", format);
    return buf;
}

char *bench_time_label(char *buf, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int u = 0;
    buf[0] = '\0';
    if (!(ns > 0))
        return buf;
    while (ns >= 999.5 && u < 3) {
        ns /= 1000;
        u++;
    }
    snprintf(buf, 32, "%.*f %s", ns < 9.995 ? 2 : ns < 99.95 ? 1 : 0, ns, units[u]);
    return buf;
}
