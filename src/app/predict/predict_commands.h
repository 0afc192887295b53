#pragma once
// `falconer predict ...`: what comes next, what is known, and what other nodes know.

#include "app/predict/workflow_commands.h"

namespace falconer::app {

int RunPredictNext(const Arguments& arguments, Terminal& terminal);
int RunPredictTop(const Arguments& arguments, Terminal& terminal);
int RunPredictExport(const Arguments& arguments, Terminal& terminal);
int RunPredictMerge(const Arguments& arguments, Terminal& terminal);
int RunPredictForget(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kStartUrlOption = {"--url", "URL", "Open this address first.",
                                              &Arguments::url};
inline constexpr OptionRow kPredictSessionOption = {
    "--session", "NAME", "The session to work in; predict when not given.", &Arguments::session};

inline constexpr OptionRow kPredictNextOptions[] = {
    kStartUrlOption,
    kPredictSessionOption,
    {"--workflow", "NAME", "Only steps of this learned workflow.", &Arguments::learned},
    kParameterOption,
    {"--limit", "N", "At most so many, 1 to 100; 5 when not given.", &Arguments::count},
};
inline constexpr OptionRow kPredictTopOptions[] = {
    {"--limit", "N", "At most so many, 1 to 1000; 10 when not given.", &Arguments::count},
};
inline constexpr OptionRow kPredictExportOptions[] = {
    {"--output", "FILE", "Write it there instead of to standard output.", &Arguments::out},
};
inline constexpr OptionRow kPredictMergeOptions[] = {
    {"FILE", "FILE|-", "What `falconer predict export` wrote elsewhere; - reads standard input.",
     &Arguments::file},
};

}  // namespace falconer::app
