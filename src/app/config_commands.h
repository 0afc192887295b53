#pragma once
// `falconer config show|schema|validate|docs`.

#include "app/command.h"

namespace falconer::app {

int RunConfigShow(const Arguments& arguments, Terminal& terminal);
int RunConfigSchema(const Arguments& arguments, Terminal& terminal);
// The file alone is judged: neither environment nor flags take part.
int RunConfigValidate(const Arguments& arguments, Terminal& terminal);
int RunConfigDocs(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
