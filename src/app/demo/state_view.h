#pragma once
// A state and a delta in a few lines, for people at a terminal.

#include <string>
#include <vector>

#include "model/state/delta.h"
#include "model/state/state.h"

namespace falconer::app {

struct StateViewLimits {
  std::size_t elements = 16;
  std::size_t texts = 24;
};

// One line per element ("e3  textbox "Full name" = "Ada Lovelace"") and per text. What does not fit
// is counted.
std::vector<std::string> StateLines(const model::StructuredState& state,
                                    StateViewLimits limits = {});

// "elements: 2 changed; texts: 3 new, 1 gone", or "nothing changed".
std::string DeltaLine(const model::StateDelta& delta);

// What it costs a model to read it: "1203 characters, about 300 tokens".
std::string SizeLine(const json::object& shown);

}  // namespace falconer::app
