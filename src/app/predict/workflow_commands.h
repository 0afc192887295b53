#pragma once
// `falconer workflows ...`: the workflows that were learnt, as documents.

#include "app/command.h"

namespace falconer::app {

int RunWorkflowsList(const Arguments& arguments, Terminal& terminal);
int RunWorkflowsShow(const Arguments& arguments, Terminal& terminal);
int RunWorkflowsEdit(const Arguments& arguments, Terminal& terminal);
int RunWorkflowsExport(const Arguments& arguments, Terminal& terminal);
int RunWorkflowsImport(const Arguments& arguments, Terminal& terminal);
int RunWorkflowsDelete(const Arguments& arguments, Terminal& terminal);
int RunWorkflowsPlan(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kLearnedOption = {
    "NAME", "NAME", "The workflow, as `falconer workflows list` shows it.", &Arguments::learned};
inline constexpr OptionRow kParameterOption = {
    "--param", "NAME=VALUE",
    "The value of a parameter; NAME=@FILE reads a file, NAME=- standard input. Repeatable.",
    &Arguments::parameters};

inline constexpr OptionRow kWorkflowsShowOptions[] = {
    kLearnedOption,
    {"--yaml", "", "Show its document instead.", &Arguments::shows_yaml},
};
inline constexpr OptionRow kWorkflowsNameOptions[] = {kLearnedOption};
inline constexpr OptionRow kWorkflowsExportOptions[] = {
    kLearnedOption,
    {"--output", "FILE", "Write it there instead of to standard output.", &Arguments::out},
};
inline constexpr OptionRow kWorkflowsImportOptions[] = {
    {"FILE", "FILE|-", "Its document, YAML or JSON; - reads standard input.", &Arguments::file},
    {"--replace", "", "Put it over the one of that name, whatever version it was made from.",
     &Arguments::replaces},
};
inline constexpr OptionRow kWorkflowsPlanOptions[] = {
    kLearnedOption,
    kParameterOption,
    {"--session", "NAME", "The session of its contracts; without it, one of the workflow's name.",
     &Arguments::session},
    {"--optional-steps", "", "Also the steps that were not in every recording.",
     &Arguments::keeps_optional},
};

}  // namespace falconer::app
