#pragma once
// NextActionAdviser: who is asked what to do next where no prediction is sure enough. The room of
// agents implements it with a model.

#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "base/async/task.h"
#include "engine/look.h"

namespace falconer::predict {

struct AdviceQuestion {
  // The workflow's steps so far and what is still to be done, for people and models.
  std::vector<std::string> done;
  std::vector<std::string> still;
  // Names only, values stay here.
  std::vector<std::string> parameters;
  std::string page;
  // What can be acted on; texts of the page, so untrusted.
  std::vector<engine::SeenElement> elements;
};

struct Advice {
  // An action_spec whose target is the ref of one of the elements, with {name} for parameters;
  // nothing when there is nothing to do.
  std::optional<json::object> action_spec;
  std::string rationale;
  std::int64_t tokens = 0;
};

class NextActionAdviser {
 public:
  virtual ~NextActionAdviser() = default;
  virtual Task<Result<Advice>> Ask(CallContext ctx, AdviceQuestion question) = 0;
};

}  // namespace falconer::predict
