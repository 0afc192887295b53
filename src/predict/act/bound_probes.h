#pragma once
// BoundProbes: what was found of steps on a page, for as long as the page stays as it was. What is
// found by it is bound again when it is used, so that an answer that is too old costs a try, and
// never acts on another element.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/look.h"
#include "model/contract/result.h"

namespace falconer::predict {

class BoundProbes {
 public:
  // They were looked for on the page with this address.
  void Keep(const std::string& url, const std::vector<engine::ProbedTarget>& targets,
            const std::vector<engine::ProbeFinding>& findings);
  // Only what is there and can be used; nothing for what must be looked for.
  std::optional<engine::ProbeFinding> Find(const std::string& url,
                                           const engine::ProbedTarget& target) const;
  // Something was done: what it did to the page decides what still holds.
  void After(const model::ActionExecutionResult& result);
  void Forget() { found_.clear(); }

 private:
  std::string url_;
  std::map<std::string, engine::ProbeFinding> found_;
};

// Whether the elements of the page are the same, where they were, and can be used as before.
bool KeepsElements(const model::ActionExecutionResult& result);

}  // namespace falconer::predict
