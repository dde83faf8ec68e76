/* Measures the costs that the advisor works with (src/advise/costs.def), in about two seconds. */
#ifndef CALIBRATE_COSTS_H
#define CALIBRATE_COSTS_H

#include "tsr_advice.h"

/* Set the costs of *out. TSR_NOMEM. */
tsr_status bench_calibrate_costs(tsr_tuning *out, tsr_error *err) TSR_NODISCARD;

#endif
