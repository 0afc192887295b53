#pragma once
// PageSurvey: a whole page, frames included, looked at by fingerprints and selectors: which of many
// targets are there now, and everything that can be acted on. Nothing here leaves a trace on it.

#include <memory>
#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "browser/tabs/tab.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::browser {

inline constexpr std::size_t kMaxProbedTargets = 500;
inline constexpr std::size_t kMaxSeenElements = 2000;

// One thing that may be on the page, by its selectors, the best first, and the frame they are for.
struct ProbedTarget {
  std::vector<std::string> selectors;
  std::string frame;  // address without query and fragment; "" is the main frame
};

// What of it is there now, by the first of its selectors that finds anything.
struct ProbeFinding {
  int matches = 0;
  std::string selector;    // that found it; "" for none
  std::string ref;         // of the only match
  bool is_usable = false;  // it is the only one, seen, and enabled
};

struct SeenElement {
  std::string ref;
  model::Fingerprint fingerprint;
};

// Answers in the order of the targets. A selector that cannot be read, or leads into frames, finds
// nothing; so does one for a frame that is not there or does not answer. Of several frames with
// one address each counts. A page that leaves meanwhile is followed to the next one.
// kInvalidArgument for too many targets; kTabClosed, kTabCrashed, kTimeout.
Task<Result<std::vector<ProbeFinding>>> ProbePage(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  std::vector<ProbedTarget> targets);

// What can be acted on, also out of sight, in document order, the main frame first; at most `most`,
// and never more than kMaxSeenElements. Frames that do not answer are left out. Fails as ProbePage.
Task<Result<std::vector<SeenElement>>> SurveyPage(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  std::size_t most);

}  // namespace falconer::browser
