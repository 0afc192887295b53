#pragma once
// Elements that stand for a thing, such as the link of a product, and what kind of thing it is.

#include <optional>
#include <string>

#include "predict/workflows/learned_workflow.h"
#include "predict/workflows/step_guards.h"

namespace falconer::predict {

inline constexpr std::string_view kHrefAttribute = "href";

// Whether its name is what it stands for; other elements say what they do.
bool IsNamedAfterThing(const model::Fingerprint& element);

// Where both lead, when they lead to two things of one kind: "/product/*".
std::optional<std::string> CommonHref(const std::string& left, const std::string& right);
// The path that a link leads to; "" for other elements.
std::string HrefOf(const model::Fingerprint& element);

// The kind as the name of a parameter: "product". "" when no word is left.
std::string KindWords(const KindOfAddress& address);
// What the thing is that is another one in each of two steps: what its address says, else where it
// stands.
std::string KindOfThing(const WorkflowStep& left, const WorkflowStep& right);

}  // namespace falconer::predict
