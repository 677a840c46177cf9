// The layouts of the CSV report; formats/csv.cpp chooses.
#pragma once

#include "reports/report.h"
#include "reports/text_stream.h"

namespace ridgepoint {

// A row a kernel. In Ridgepoint's names the columns of the kernel table, in SI units; in Nsight's
// the kernel, its launches and every quantity that any kernel has, in Nsight's base units.
void csv_wide(const ReportInput& input, CsvNames names, TextStream& out);

// kernel,variant,launch,quantity,value,unit,range,device,time_s: a row a value that was measured or
// follows from what was. `launch` is the place of a launch in the session, or "all" for the
// kernel's launches together. In Ridgepoint's names rows without a kernel follow: those of
// variants, of NVTX ranges (`range`) and of series over time (`time_s`, and `device` for power).
// Launches appear when the session is at hand: in Ridgepoint's names as quantities in SI units, in
// Nsight's as every counter of the session as it was recorded.
void csv_long(const ReportInput& input, CsvNames names, TextStream& out);

// series,device,variant,time_s,quantity,value,unit: a row a sample of what was watched over time.
// `series` is "power" (NVML, over the run) or "pm_sampling" (counters within one run of a variant);
// the header alone when nothing was.
void csv_series(const ReportInput& input, TextStream& out);

}  // namespace ridgepoint
