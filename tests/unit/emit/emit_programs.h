/* Programs that show what emit makes of each part of the language; tests/golden/emit_NAME.c is their C. */
#ifndef EMIT_PROGRAMS_H
#define EMIT_PROGRAMS_H

#include "tsr_ir.h"

typedef struct emit_program {
    const char *name;
    const char *header;
    void (*build)(tsr_ir_builder *b);
    int vector_nbytes; /* for tsr_ir_vectorize; 0: as it is */
} emit_program;

/* NULL name at the end. */
extern const emit_program emit_programs[];

#endif
