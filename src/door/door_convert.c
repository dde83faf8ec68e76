/* From file to file: the conversion of tconv, with a limit of memory for the call. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "door_file.h"
#include "tsr_memory.h"
#include "tsr_system.h"

/* ---- the limit of memory ---- */

/* The limit is one of the process, so calls that set one take turns. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Let the process hold nbytes more than it does now. */
tsr_status door_begin_limit(uint64_t *before, uint64_t nbytes, tsr_error *err)
{
    enum { LEAST = 64 << 20, LOOK_MS = 10 };
    if (nbytes < LEAST)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a memory limit of %llu bytes is too little: at least 64 MiB are needed",
                        (unsigned long long)nbytes);
    while (pthread_mutex_trylock(&turn) != 0) {
        TSR_TRY(tsr_interrupt_check(err));
        tsr_interrupt_sleep(LOOK_MS);
    }
    *before = tsr_memory_limit();
    tsr_system_return_memory();
    const uint64_t now = tsr_memory_resident(), limit = nbytes < UINT64_MAX - now ? now + nbytes : UINT64_MAX;
    tsr_memory_set_limit(limit < *before ? limit : *before);
    return TSR_OK;
}

void door_end_limit(uint64_t before)
{
    tsr_memory_set_limit(before);
    pthread_mutex_unlock(&turn);
}

/* ---- the conversion ---- */

static bool always(void)
{
    return true;
}

void door_set_packing(tsr_conversion_settings *s, const tessera_pack_options *o, const door_call *call)
{
    s->index_same = o->index_width == TESSERA_INDEX_SAME;
    s->index_given = o->index_width != TESSERA_INDEX_AUTO && !s->index_same;
    s->pack =
        (tsr_pack_options){.duplicates = (tsr_duplicates)o->duplicates,
                           .index_width = s->index_given ? (tsr_index_width)o->index_width : TSR_INDEX_AUTO,
                           .nthreads = call->nthreads,
                           .max_nbytes = o->max_nbytes,
                           .observer = call->observer};
}

/* The settings of these options; the texts of the transformations are in `steps`. */
static tsr_status take_settings(tsr_conversion_settings *s, char **steps, const door_reading *how,
                                const tessera_write_options *given, const door_call *call)
{
    const tessera_read_options *const o = &how->options;
    tessera_write_options write;
    TSR_TRY(door_options(&write, sizeof write, given, "tessera_write_options", call->err));
    s->from = o->codec;
    s->to = write.codec;
    s->format = o->format;
    s->read = how->read;
    s->keep_symmetry = o->keep_symmetry != 0;
    s->temp = o->temp;
    s->resume = o->resume != 0;
    s->stays = s->resume ? always : NULL;
    s->join = o->join != 0;
    s->more = o->more;
    for (s->nmore = 0; o->more && o->more[s->nmore];)
        s->nmore++;
    s->along = o->along;
    s->verify = o->verify != 0;
    if (o->shard)
        TSR_TRY(tsr_conversion_set_shard(s, o->shard, call->err));
    s->memory_nbytes = o->memory_nbytes;
    s->duplicates_given = o->duplicates != TESSERA_SUM;
    door_set_packing(s,
                     &(tessera_pack_options){.duplicates = o->duplicates,
                                             .index_width = o->index_width,
                                             .max_nbytes = o->max_nbytes},
                     call);
    if (!o->transform)
        return TSR_OK;
    *steps = tsr_strdup(o->transform);
    return *steps ? door_parse_steps(&s->transforms, *steps, call->err)
                  : tsr_fail(call->err, TSR_NOMEM, "out of memory: transformations");
}

tsr_status door_run_conversion(const tsr_conversion_settings *s, const door_call *call)
{
    tsr_conversion conversion = {.s = s};
    uint64_t before = 0;
    if (s->memory_nbytes > 0)
        TSR_TRY(door_begin_limit(&before, s->memory_nbytes, call->err));
    const tsr_status status = tsr_conversion_run(&conversion, call->err);
    if (s->memory_nbytes > 0)
        door_end_limit(before);
    door_name_place(status, &conversion.wrong, call->err);
    tsr_conversion_clear(&conversion);
    return status;
}

static tsr_status convert_file(const char *out, const char *in, const tessera_read_options *read_given,
                               const tessera_write_options *write_given, const door_call *call)
{
    door_reading how;
    const tsr_codec *from, *to;
    char *steps = NULL;
    TSR_TRY(door_need(out, "output path", call->err));
    TSR_TRY(door_need(in, "input path", call->err));
    tsr_conversion_settings *const s = tsr_calloc(1, sizeof *s);
    if (!s)
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: a conversion");
    s->in = in;
    s->out = out;
    tsr_status status = door_take_reading(&how, &from, read_given, call);
    if (status == TSR_OK)
        status = door_take_writing(&s->write, &to, out, write_given, call);
    if (status == TSR_OK)
        status = door_check_codec_options(&how.options, in, call->err);
    if (status == TSR_OK)
        status = take_settings(s, &steps, &how, write_given, call);
    if (status == TSR_OK)
        status = door_run_conversion(s, call);
    tsr_free(steps);
    tsr_free(s);
    return status;
}

tessera_status tessera_convert_file(const char *out, const char *in, const tessera_read_options *read,
                                    const tessera_write_options *write, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, convert_file(out, in, read, write, &call));
}
