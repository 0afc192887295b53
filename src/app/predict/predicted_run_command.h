#pragma once
// `falconer predict run` and `falconer replay --act`: doing what was learnt.

#include "app/predict/predict_commands.h"

namespace falconer::app {

// kExitOk for a run that was completed, 3 for one that asks or was refused, kExitUsage for bad
// words or settings, that of a signal, else kExitFailed.
int RunPredictRun(const Arguments& arguments, Terminal& terminal);
// The workflow of --act; the same codes.
int RunActReplay(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kDryRunOption = {
    "--dry-run", "", "Tell what it would do, and do nothing.", &Arguments::is_dry};
inline constexpr OptionRow kProfileOption = {
    "--profile", "NAME",
    "How sure it must be: aggressive, balanced or conservative; predict.profile when not given.",
    &Arguments::profile};
inline constexpr OptionRow kIterationsOption = {
    "--max-steps", "N", "Most steps; predict.max_iterations when not given.",
    &Arguments::max_steps};
inline constexpr OptionRow kNoModelOption = {
    "--no-model", "", "Ask no model, whatever predict.ask_model says.", &Arguments::bars_model};
inline constexpr OptionRow kRunReportOption = {
    "--report", "FILE", "Write what the run came to, as JSON.", &Arguments::out};

inline constexpr OptionRow kPredictRunOptions[] = {
    kStartUrlOption,   kPredictSessionOption, kDryRunOption,   kProfileOption,
    kIterationsOption, kNoModelOption,        kRunReportOption};

inline constexpr std::string_view kPredictRunNotes =
    "Exit codes:\n"
    "  0 completed, 1 ended otherwise, 2 wrong usage or settings, 3 it asks or was refused,\n"
    "  128+N ended by signal N.";

}  // namespace falconer::app
