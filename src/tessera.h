/* Tessera: all doors of the library in one include. */
#ifndef TESSERA_H
#define TESSERA_H

#include "tsr_codec.h"
#include "tsr_jit.h"
#include "tsr_kernel.h"
#include "tsr_layout.h"
#include "tsr_notation.h"
#include "tsr_pack.h"
#include "tsr_transform.h"

#endif
