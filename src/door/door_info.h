/* What facts about tensors and facts about files share. */
#ifndef DOOR_INFO_H
#define DOOR_INFO_H

#include "door_internal.h"
#include "tsr_facts.h"

/* Find the facts that the options ask for, and print all of them as a JSON object. */
tsr_status door_survey(tsr_text *text, tsr_tensor_facts *facts, const tessera_info_options *o,
                       const door_call *call) TSR_NODISCARD;

#endif
