/* A build for texts only (TSR_WITH_CONTAINERS=OFF) does not name the kinds of other software's files. */
#include "tsr_codec.h"

const tsr_foreign tsr_foreign_kinds[] = {{.name = NULL}};
