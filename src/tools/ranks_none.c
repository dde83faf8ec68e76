/* A build for one process (TSR_WITH_RANKS=OFF): see ranks.h, rank_figures.h, tkern.h. */
#include "rank_figures.h"
#include "ranks.h"
#include "tkern.h"

static tsr_status fail(tsr_error *err)
{
    return tsr_fail(err, TSR_UNSUPPORTED, "this build of Tessera works without ranks");
}

tsr_status tsr_cli_ranks_open(tsr_cli_ranks *out, int argc, char *const *argv, tsr_error *err)
{
    (void)argc, (void)argv, (void)err;
    *out = (tsr_cli_ranks){.ranks = NULL};
    return TSR_OK;
}

void tsr_cli_ranks_close(tsr_cli_ranks *ranks)
{
    (void)ranks;
}

bool tsr_cli_ranks_speaks(const tsr_cli_ranks *ranks)
{
    (void)ranks;
    return true;
}

int tsr_cli_ranks_refuse(tsr_cli_ranks *ranks, tsr_cli_report *report, const tsr_error *err)
{
    (void)ranks;
    return tsr_cli_report_error(report, err);
}

tsr_status tsr_tkern_ranks(tsr_tkern *t, tsr_status planned, tsr_error *err)
{
    (void)t, (void)planned;
    return fail(err);
}

const tsr_rank_machine tsr_rank_machine_default = {.cores = 1};

tsr_status tsr_rank_machine_parse(tsr_rank_machine *machine, const char *text, tsr_error *err)
{
    (void)machine, (void)text;
    return fail(err);
}

tsr_status tsr_rank_figures_count(tsr_rank_figures *ranks, tsr_feed *feed, const tsr_observer *observer,
                                  tsr_error *err)
{
    (void)ranks, (void)feed, (void)observer;
    return fail(err);
}

tsr_status tsr_rank_figures_count_data(tsr_rank_figures *ranks, const tsr_data *data, tsr_error *err)
{
    (void)ranks, (void)data;
    return fail(err);
}

tsr_status tsr_rank_figures_print(FILE *to, const tsr_rank_figures *ranks, tsr_error *err)
{
    (void)to, (void)ranks;
    return fail(err);
}

tsr_status tsr_rank_figures_json(tsr_json *json, const tsr_rank_figures *ranks, tsr_error *err)
{
    (void)json, (void)ranks;
    return fail(err);
}

void tsr_rank_figures_clear(tsr_rank_figures *ranks)
{
    (void)ranks;
}
