#pragma once
// ActionFacts: what rules are judged from, apart from the page as it is: where things stood before
// the action, and what the driver reported of it.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "engine/gray_image.h"
#include "model/contract/result.h"
#include "model/state/state.h"

namespace falconer::engine {

// The last numbers of a tab's logs: what has a higher one came later.
struct LogMarks {
  std::uint64_t network = 0;
  std::uint64_t console = 0;
};

struct ActionFacts {
  // By tab; a tab that is not here was opened by the action, and all of it counts.
  std::map<TabId, LogMarks> marks;
  const model::StructuredState* before = nullptr;
  const model::StructuredState* after = nullptr;
  std::optional<GrayImage> picture_before;
  std::vector<model::ResultArtifact> artifacts;

  LogMarks MarksOf(const TabId& tab) const {
    const auto found = marks.find(tab);
    return found == marks.end() ? LogMarks{} : found->second;
  }
};

}  // namespace falconer::engine
