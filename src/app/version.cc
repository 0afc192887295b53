#include "app/version.h"

#include "app/command.h"

namespace falconer::app {

std::string_view Version() {
  return FALCONER_VERSION;
}

int RunVersion(const Arguments& arguments, Terminal& terminal) {
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", true}, {"version", Version()}});
  } else {
    terminal.Print("falconer " + std::string(Version()));
  }
  return kExitOk;
}

}  // namespace falconer::app
