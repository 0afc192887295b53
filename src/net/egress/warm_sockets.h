#pragma once
// WarmSockets: connections of one session that were opened before anything was asked of their
// hosts. Nothing was sent through them. Each is taken once, or dropped when nobody comes for it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "net/egress/egress_reach.h"

namespace falconer::net {

// Host names as EgressTarget has them.
struct WarmPlace {
  std::string host;
  std::uint16_t port = 0;
  bool operator==(const WarmPlace&) const = default;
};

class WarmSockets {
 public:
  static constexpr std::size_t kMost = 8;

  // Whether one more may be opened: there is none to that place, and there are not too many.
  bool HasRoomFor(const WarmPlace& place) const;
  // Being opened: nobody else opens it meanwhile. By the number it is kept and dropped.
  std::uint64_t Expect(WarmPlace place);
  void Keep(std::uint64_t number, ReachedHost reached);
  void Drop(std::uint64_t number);
  void Clear() { rows_.clear(); }
  // Nothing when there is none yet.
  std::optional<ReachedHost> Take(const WarmPlace& place);

 private:
  struct Row {
    std::uint64_t number = 0;
    WarmPlace place;
    std::optional<ReachedHost> reached;
  };

  std::vector<Row> rows_;
  std::uint64_t last_ = 0;
};

}  // namespace falconer::net
