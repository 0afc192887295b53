#pragma once
// `falconer doctor`: can this machine run browsers, and if not, what is the cure.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/command.h"
#include "app/wiring.h"

namespace falconer::app {

enum class Health { kOk, kWarn, kFail };

struct Finding {
  Health health = Health::kOk;
  std::string detail;
  // Empty: the one of the check.
  std::string cure = {};
};

// What the checks share.
struct Visit {
  const Arguments& arguments;
  Program& program;
  // The browser that the settings ask for, once a check has started it.
  std::unique_ptr<browser::Browser> browser;
};

struct Check {
  std::string_view name;
  std::string_view cure;  // shown unless all is well or the finding has one of its own
  // `visit` outlives the call.
  Task<Finding> (*run)(CallContext ctx, Visit* visit);
};

// In the order they are made: later ones may use what earlier ones started.
std::span<const Check> AllChecks();

int RunDoctor(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
