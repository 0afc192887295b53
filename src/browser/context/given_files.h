#pragma once
// GivenFiles: the files that a session's own actions gave to its pages. What the browser reads from
// the disk only while it sends it, nobody sees beforehand; where it is one of these, it is known
// all the same.

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::browser {

class GivenFiles {
 public:
  // The oldest are forgotten when there are many.
  void Note(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      const std::filesystem::path given(path);
      if (std::ranges::find(paths_, given) == paths_.end()) paths_.push_back(given);
      if (paths_.size() > kMostGiven) paths_.pop_front();
    }
  }
  // The one that a body with parts calls so; nothing when none was given, or several of that name.
  std::optional<std::filesystem::path> Named(std::string_view name) const {
    const auto is_it = [&](const std::filesystem::path& path) { return NameInParts(path) == name; };
    if (name.empty() || std::ranges::count_if(paths_, is_it) != 1) return std::nullopt;
    return *std::ranges::find_if(paths_, is_it);
  }

 private:
  static constexpr std::size_t kMostGiven = 256;

  // As browsers write it in the head of a part.
  static std::string NameInParts(const std::filesystem::path& path) {
    std::string name;
    for (const char c : path.filename().string()) {
      if (c == '"') {
        name += "%22";
      } else if (c == '\r' || c == '\n') {
        name += c == '\r' ? "%0D" : "%0A";
      } else {
        name += c;
      }
    }
    return name;
  }

  std::deque<std::filesystem::path> paths_;
};

}  // namespace falconer::browser
