#pragma once
// What the announcing form said on its console: one load, fill and click per visit. A driver that
// reports fewer has lost events.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace falconer::bench {

class Announcements {
 public:
  // Takes any console text; what is not "bench <nonce> <what>" is ignored.
  void Saw(std::string_view console_text);
  // How many of the three never arrived for this visit.
  std::size_t MissingOf(const std::string& nonce) const;

 private:
  std::unordered_map<std::string, unsigned> seen_;  // a bit per announcement
};

}  // namespace falconer::bench
