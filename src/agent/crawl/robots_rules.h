#pragma once
// RobotsRules: what a site's robots.txt says to one crawler (RFC 9309). Reading never fails: what
// cannot be read says nothing.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::agent {

// More of a file is not read.
inline constexpr std::size_t kMostRobotsBytes = 500UZ * 1024;

class RobotsRules {
 public:
  // The rules of all groups for `name`, a product token in any case; of those for everybody when no
  // group is for it.
  static RobotsRules Parse(std::string_view text, std::string_view name);
  static RobotsRules AllowAll() { return {}; }
  static RobotsRules DisallowAll();

  // `path` is the path with its query. The longest rule that matches decides; of two as long the
  // one that allows. /robots.txt itself is always allowed.
  bool Allows(std::string_view path) const;
  // Asked for between two visits.
  std::optional<std::chrono::milliseconds> crawl_delay() const { return crawl_delay_; }
  // In the order of the file, whoever they are for.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }

 private:
  struct Rule {
    bool allows = false;
    // With its escapes in one form.
    std::string pattern;
  };
  class Reader;

  std::vector<Rule> rules_;
  std::optional<std::chrono::milliseconds> crawl_delay_;
  std::vector<std::string> sitemaps_;
};

}  // namespace falconer::agent
