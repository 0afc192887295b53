#pragma once
// PolicyQuestion: what is asked of a policy about something that nobody does: it is only described,
// by the words of a command or of a request to the server.

#include <optional>
#include <string>
#include <string_view>

#include "policy/risk/risk.h"
#include "policy/rules/policy.h"

namespace falconer::policy {

struct PolicyQuestion {
  RuleSet set = RuleSet::kActions;
  model::PolicyFacts facts;
  std::optional<Risk> risk;  // when there was something to judge
};

// What would be met; either may be empty.
struct DescribedThing {
  std::string label;   // the name of a button that is pressed
  std::string method;  // of a request to the facts' address
};

// The facts with what follows from them: the capability that the action needs, if none is named,
// and the risk of the thing, judged as it would be when met. An amount that is given counts more
// than one that was read.
PolicyQuestion QuestionAbout(RuleSet set, model::PolicyFacts facts, const DescribedThing& thing);

// "49.90 USD"; nothing for anything else.
std::optional<model::Money> AmountIn(std::string_view text);

}  // namespace falconer::policy
