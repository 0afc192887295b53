#pragma once
// `falconer quarantine ...`: the texts of pages that were put away instead of shown to a model, for
// those who audit it.

#include "app/command.h"

namespace falconer::app {

int RunQuarantineList(const Arguments& arguments, Terminal& terminal);
// The original of one.
int RunQuarantineShow(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kQuarantineShowOptions[] = {
    {"DIGEST", "DIGEST", "Its digest, or the first 8 or more digits of it.", &Arguments::name},
};
inline constexpr std::string_view kQuarantineNotes =
    "What is printed was written to mislead a model: do not hand it to one.";

}  // namespace falconer::app
