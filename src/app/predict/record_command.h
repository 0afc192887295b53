#pragma once
// `falconer record NAME`: what a person does becomes a workflow.

#include "app/predict/predict_commands.h"

namespace falconer::app {

// kExitOk once the workflow is saved, whether Enter or a signal ended it; kExitUsage for bad words
// or settings, else kExitFailed: nothing was saved then.
int RunRecord(const Arguments& arguments, Terminal& terminal);

// What a recording became.
void PrintRecorded(const Arguments& arguments, Terminal& terminal, const json::object& answer);

inline constexpr OptionRow kRecordOptions[] = {
    {"NAME", "NAME", "The workflow to learn: lower-case letters, digits, dots, - and _.",
     &Arguments::learned},
    kStartUrlOption,
    {"--session", "NAME", "The session to work in; without it, one of the workflow's name.",
     &Arguments::session},
    {"--visible", "", "In a window of the full Chromium: the default where there is a display.",
     &Arguments::is_visible},
    {"--live", "", "In the live view of the console: the default where there is none.",
     &Arguments::is_live},
};

inline constexpr std::string_view kRecordNotes =
    "Record the same thing again, with other values, under the same name: what was different\n"
    "each time becomes a parameter. What is typed is kept nowhere.";

}  // namespace falconer::app
