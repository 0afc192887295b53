#pragma once
// `falconer schema contract|plan|result|plan-result`: one JSON document on one line, with and
// without --json.

#include "app/command.h"

namespace falconer::app {

int RunSchemaContract(const Arguments& arguments, Terminal& terminal);
int RunSchemaPlan(const Arguments& arguments, Terminal& terminal);
int RunSchemaResult(const Arguments& arguments, Terminal& terminal);
int RunSchemaPlanResult(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
