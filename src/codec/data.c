/* Data in one of its two forms, coordinates or a packed tensor: see tsr_codec.h and tsr_write.h. */
#include "tsr_write.h"

void tsr_data_clear(tsr_data *data)
{
    tsr_coo_free(data->coo);
    tsr_tensor_free(data->tensor);
    tsr_labels_free(data->labels);
    data->labels = NULL;
    data->coo = NULL;
    data->tensor = NULL;
    data->codec = NULL;
}

tsr_status tsr_data_unpack(tsr_data *data, int nthreads, tsr_error *err)
{
    tsr_coo *coo = NULL;
    if (data->coo)
        return TSR_OK;
    TSR_TRY(tsr_unpack(&coo, data->tensor, nthreads, err));
    tsr_tensor_free(data->tensor);
    data->tensor = NULL;
    data->coo = coo;
    return TSR_OK;
}

tsr_status tsr_data_pack(tsr_data *data, const tsr_format *format, const tsr_pack_options *how,
                         tsr_pack_stats *stats, tsr_error *err)
{
    const tsr_data from = *data;
    data->coo = NULL; /* both calls consume theirs */
    data->tensor = NULL;
    return from.coo ? tsr_pack(&data->tensor, from.coo, format, how, stats, err)
                    : tsr_convert(&data->tensor, from.tensor, format, how, stats, err);
}
