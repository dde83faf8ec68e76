/* tinfo --as: the tensor of a file as another storage format would hold it. */
#include "tinfo_as.h"

#include "tsr_format.h"
#include "index_width.h"
#include "tsr_pack.h"

static tsr_status to_general(tsr_data *data, tsr_error *err)
{
    const tsr_structure structure = data->tensor ? data->tensor->structure : data->coo->structure;
    if (structure == TSR_GENERAL)
        return TSR_OK;
    if (data->tensor) {
        TSR_TRY(tsr_unpack(&data->coo, data->tensor, 0, err));
        tsr_tensor_free(data->tensor);
        data->tensor = NULL;
    }
    return tsr_coo_expand(data->coo, err);
}

tsr_status tsr_tinfo_as(tsr_data *data, const char *text, int nthreads, tsr_error *err)
{
    TSR_TRY(to_general(data, err));
    const tsr_shape shape = data->tensor ? (tsr_shape){data->tensor->order, data->tensor->dims}
                                         : (tsr_shape){data->coo->order, data->coo->dims};
    const tsr_type type = data->tensor ? data->tensor->type : data->coo->type;
    tsr_format *format = NULL;
    tsr_tensor *packed = NULL;
    int index_nbits;
    TSR_TRY(tsr_format_parse_sized(&format, &index_nbits, text, shape, type, err));
    const tsr_pack_options how = {.nthreads = nthreads,
                                  .duplicates =
                                      tsr_format_keeps_duplicates(format) ? TSR_DUP_KEEP : TSR_DUP_SUM,
                                  .index_width = tsr_cli_index_width(0, index_nbits)};
    const tsr_status status = data->coo ? tsr_pack(&packed, data->coo, format, &how, NULL, err)
                                        : tsr_convert(&packed, data->tensor, format, &how, NULL, err);
    data->coo = NULL; /* both are consumed, whatever happens */
    data->tensor = packed;
    tsr_format_free(format);
    return status;
}
