/* Texts for rows: see bench_label.h. */
#include "bench_label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tsr_text.h"

const char *bench_kernel_name(const bench_row *row)
{
    return strcmp(row->kernel, "expression") == 0 && row->expression ? row->expression : row->kernel;
}

static char *kernel_label(char *buf, const bench_row *row, bool with_mode)
{
    int n = snprintf(buf, 400, "%.360s", bench_kernel_name(row));
    if (row->has_mode && with_mode)
        n += snprintf(buf + n, 32, ", mode %d", row->mode);
    if (row->rank)
        n += snprintf(buf + n, 32, ", rank %d", row->rank);
    if (row->type && strcmp(row->type, "f64") != 0)
        n += snprintf(buf + n, 32, ", %.24s", row->type);
    if (row->cold)
        n += snprintf(buf + n, 32, ", cold");
    if (row->memory)
        snprintf(buf + n, 32, ", %.24s", row->memory);
    return buf;
}

char *bench_kernel_label(char *buf, const bench_row *row)
{
    return kernel_label(buf, row, true);
}

char *bench_plot_label(char *buf, const bench_row *row)
{
    return kernel_label(buf, row, false);
}

char *bench_dataset_label(char *buf, const bench_row *row)
{
    snprintf(buf, BENCH_LABEL_NBYTES, "%.400s%s", row->dataset.name ? row->dataset.name : "",
             row->dataset.stand_in ? " (stand-in)" : "");
    return buf;
}

/* Append "500k", "4M", "1.23M" or "768" for the digits at s, up to `end`. */
static int add_count(char *buf, const char *s, const char *end)
{
    double v = 0;
    for (; s < end && *s >= '0' && *s <= '9'; s++)
        v = 10 * v + (*s - '0');
    return v < 1000      ? snprintf(buf, 32, "%.0f", v)
           : v < 999.5e3 ? snprintf(buf, 32, "%.3gk", v / 1e3)
           : v < 999.5e6 ? snprintf(buf, 32, "%.3gM", v / 1e6)
                         : snprintf(buf, 32, "%.3gG", v / 1e9);
}

/* Append "500k" for "500000x500000", and "20kx30kx5k" if the dims differ. */
static int add_dims(char *buf, const char *s, const char *end)
{
    char dim[8][32];
    int ndims = 0, n = 0;
    bool are_equal = true;
    while (s < end && ndims < 8) {
        add_count(dim[ndims], s, end);
        are_equal &= strcmp(dim[ndims++], dim[0]) == 0;
        while (s < end && *s++ != 'x')
            ;
    }
    if (ndims == 2 && are_equal)
        ndims = 1;
    for (int i = 0; i < ndims; i++)
        n += snprintf(buf + n, 34, "%s%s", i ? "x" : "", dim[i]);
    return n;
}

char *bench_short_label(char *buf, const bench_row *row)
{
    static const char *const left_out[] = {"skew", "seed", "values", "per-row"};
    enum { NLEFT_OUT = sizeof left_out / sizeof *left_out };
    const char *const name = row->dataset.name ? row->dataset.name : "", *const colon = strchr(name, ':');
    if (!colon || strlen(name) > 200 || !strchr(colon, '='))
        return bench_dataset_label(buf, row);
    int n = snprintf(buf, 200, "%.*s", (int)(colon - name), name);
    const char *separator = " ";
    for (const char *key = colon + 1; *key;) {
        const char *const end = key + strcspn(key, ","), *const equals =
                                                             memchr(key, '=', (size_t)(end - key));
        const size_t nkey = equals ? (size_t)(equals - key) : 0;
        if (nkey > 0 && tsr_name_find(left_out, NLEFT_OUT, sizeof *left_out, key, nkey) == NLEFT_OUT) {
            n += snprintf(buf + n, 4, "%s", separator);
            separator = ", ";
            if ((nkey == 1 && *key == 'n') || (nkey == 3 && memcmp(key, "nnz", 3) == 0))
                n += add_count(buf + n, equals + 1, end);
            else if (nkey == 4 && memcmp(key, "dims", 4) == 0)
                n += add_dims(buf + n, equals + 1, end);
            else
                n += snprintf(buf + n, 200, "%.*s %.*s", (int)nkey, key, (int)(end - equals - 1), equals + 1);
        }
        key = *end ? end + 1 : end;
    }
    if (row->dataset.stand_in)
        snprintf(buf + n, 16, " (stand-in)");
    return buf;
}

char *bench_candidate_label(char *buf, const bench_row *row)
{
    const char *const format = row->format ? row->format : "";
    if (*format && bench_row_is_tessera(row))
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

/* Digits after the point for a ratio with three digits. */
static int ratio_digits(double ratio)
{
    return ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0;
}

char *bench_roof_label(char *buf, double share)
{
    snprintf(buf, 32, share > 1.005 ? ">100%%" : "%.0f%%", 100 * share);
    return buf;
}

bool bench_ratio_is_unsteady(const bench_ratio *ratio)
{
    return isfinite(ratio->hi) && ratio->hi > 2 * ratio->lo;
}

char *bench_ratio_label(char *buf, const bench_ratio *ratio, const char *between)
{
    if (bench_ratio_is_unsteady(ratio)) {
        snprintf(buf, 32, "unsteady");
        return buf;
    }
    const int n = snprintf(buf, 32, "%.*f", ratio_digits(ratio->ratio), ratio->ratio);
    if (isfinite(ratio->hi) && n > 0 && n < 32)
        snprintf(buf + n, 100, " (%.*f%s%.*f)", ratio_digits(ratio->lo), ratio->lo, between,
                 ratio_digits(ratio->hi), ratio->hi);
    return buf;
}

char *bench_number_label(char *buf, double v)
{
    buf[0] = '\0';
    if (v > 0)
        snprintf(buf, 32, "%.*f", ratio_digits(v), v);
    return buf;
}

char *bench_runs_label(char *buf, double runs)
{
    buf[0] = '\0';
    if (isinf(runs))
        snprintf(buf, 32, "never");
    else if (!isnan(runs))
        snprintf(buf, 32, runs < 1e6 ? "%.0f" : "%.1e", runs);
    return buf;
}
