/* What the public functions that read and write files share: door_file.c for named files, door_stream.c for the caller's memory and
 * functions. */
#ifndef DOOR_FILE_H
#define DOOR_FILE_H

#include "door_internal.h"
#include "tsr_conversion.h"
#include "tsr_picked.h"

/* The caller's options of reading, and in the form of the codecs. Texts are borrowed from the caller. */
typedef struct door_reading {
    tessera_read_options options;
    tsr_read_options read;
    tsr_picked select; /* read.select leads here */
} door_reading;

/* codec: NULL where the content will tell. */
tsr_status door_take_reading(door_reading *how, const tsr_codec **codec, const tessera_read_options *given,
                             const door_call *call) TSR_NODISCARD;
/* Options of codecs that the codec of an existing file, which its content tells, does not have: TSR_ARGUMENT. */
tsr_status door_check_codec_options(const tessera_read_options *o, const char *path,
                                    tsr_error *err) TSR_NODISCARD;
/* Shape what was read from `path`, and give the tensor out. The data are used up, on failure, too. */
tsr_status door_shape_read(tessera_tensor **out, tsr_data *data, const char *path, const door_reading *how,
                           const door_call *call) TSR_NODISCARD;
/* Append what tessera_info says of the file; shown: the path in it. */
tsr_status door_file_facts(tsr_text *text, const char *path, const char *shown, const tessera_info_options *o,
                           const door_call *call) TSR_NODISCARD;
/* Find the codec that writes `path`, and what it is told. */
tsr_status door_take_writing(tsr_write_options *write, const tsr_codec **codec, const char *path,
                             const tessera_write_options *given, const door_call *call) TSR_NODISCARD;
/* Write the tensor, which stays as it is. */
tsr_status door_write_tensor(const char *path, const tessera_tensor *tensor, const tsr_codec *codec,
                             const tsr_write_options *write, const door_call *call) TSR_NODISCARD;

/* Let the process hold nbytes (at least 64 MiB) more than it does now, until door_end_limit. Calls with a limit take turns. TSR_ARGUMENT,
 * TSR_CANCELLED. */
tsr_status door_begin_limit(uint64_t *before, uint64_t nbytes, tsr_error *err) TSR_NODISCARD;
void door_end_limit(uint64_t before);

/* How the entries of a conversion are packed: duplicates, widths and the limit of the options. */
void door_set_packing(tsr_conversion_settings *s, const tessera_pack_options *o, const door_call *call);
/* Run a conversion under its limit of memory. */
tsr_status door_run_conversion(const tsr_conversion_settings *s, const door_call *call) TSR_NODISCARD;

#endif
