/* Writing a tensor to a file, whatever the tensor is and whatever the file can hold. */
#ifndef TSR_WRITE_H
#define TSR_WRITE_H

#include "tsr_codec.h"
#include "tsr_pack.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Make coordinates of a packed tensor; coordinates stay as they are. On failure the data are unchanged. Errors: those of
 * tsr_unpack. */
tsr_status tsr_data_unpack(tsr_data *data, int nthreads, tsr_error *err) TSR_NODISCARD;
/* Pack coordinates, or convert a packed tensor. stats may be NULL. On failure the coordinates or the tensor are gone. Errors: those
 * of tsr_pack and tsr_convert. */
tsr_status tsr_data_pack(tsr_data *data, const tsr_format *format, const tsr_pack_options *how,
                         tsr_pack_stats *stats, tsr_error *err) TSR_NODISCARD;

/* What writing did. */
typedef struct tsr_written {
    uint64_t nbytes;      /* of the file */
    bool packed;          /* the data were packed, or converted to another format, */
    tsr_pack_stats stats; /* with these facts */
    bool unpacked;        /* the data were unpacked to coordinates */
} tsr_written;

/* Choose the codec, by its name, or by the suffix of the path where name is NULL, and check what can be checked
 * before the data are there: the codec can write; a path that ends in .gz, "-", and the options fit the codec.
 * options may be NULL: all zero. TSR_ARGUMENT, TSR_UNSUPPORTED. */
tsr_status tsr_write_plan(const tsr_codec **codec, const char *path, const char *name,
                          const tsr_write_options *options, tsr_error *err) TSR_NODISCARD;
/* Bring the data into a form that the codec writes: pack coordinates, convert a packed tensor to a format
 * that the codec takes, or unpack it. pack (may be NULL: all zero) says how; written (may be NULL) is
 * filled except for nbytes. TSR_UNSUPPORTED when the file cannot hold a tensor of this order or type; errors
 * of tsr_pack and tsr_convert. After a failure the data may be empty. */
tsr_status tsr_write_suit(tsr_data *data, const tsr_codec *codec, const tsr_pack_options *pack,
                          tsr_written *written, tsr_error *err) TSR_NODISCARD;
/* Write the data to `path` ("-": standard output; "file.h5:object" where the codec has groups) with the
 * codec (NULL: that of the suffix): the steps above, then the file, which gets its name when it is
 * complete. *data stay with the caller, in the form that was written. written may be NULL.
 * Errors: those of the steps, and TSR_IO. */
tsr_status tsr_write(const char *path, tsr_data *data, const tsr_codec *codec,
                     const tsr_write_options *options, tsr_written *written, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
