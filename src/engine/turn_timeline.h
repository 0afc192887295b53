#pragma once
// TurnTimeline: what of a turn happened when, noted while it runs. It holds a bounded number of
// parts; what comes after those is not noted.

#include <optional>
#include <string_view>
#include <vector>

#include "base/async/clock.h"
#include "base/error.h"

namespace falconer::engine {

class TurnTimeline {
 public:
  // Where a part belongs.
  enum class Of { kTurn, kAttempt };
  struct Part {
    std::string_view name;  // of a table: "execute"
    TimePoint begin;
    TimePoint end;
    Of of = Of::kTurn;
    int attempt = 0;  // the number of the attempt that it is, or is a part of
    std::optional<ErrorCode> failure = {};
  };
  static constexpr std::size_t kMostParts = 128;
  static constexpr std::string_view kAttempt = "attempt";

  void Note(Part part) {
    if (parts_.size() < kMostParts) parts_.push_back(part);
  }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

}  // namespace falconer::engine
