#pragma once
// What a model reads of a state or of what changed since, line by line. Texts come from pages: they
// are quoted, and nothing in them can look like a line of ours.

#include <string>
#include <vector>

#include "model/state/delta.h"
#include "model/state/state.h"
#include "model/view/view_budget.h"

namespace falconer::model {

// d3e4 textbox "Email" = "ada@example.com" required
// # "Checkout"
// error "The address is missing" d3e4
std::vector<ViewLine> StateView(const StructuredState& state);

// What changed: "~" for what is different, "+" for what is new, "-" for what is gone. A delta that
// is a whole state reads like one.
std::vector<ViewLine> DeltaView(const StateDelta& delta);

// The text in double quotes, on one line: quotes, backslashes and control characters are escaped,
// and it is cut at `limit` characters.
std::string Quoted(std::string_view text, std::size_t limit = 200);

}  // namespace falconer::model
