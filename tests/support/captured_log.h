#pragma once
// CapturedLog: what is logged while it lives.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace falconer::test {

class CapturedLog {
 public:
  CapturedLog() {
    SetLogSink([this](std::string_view line) { lines_.emplace_back(line); });
  }
  ~CapturedLog() { SetLogSink({}); }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  // How many lines hold all of the words.
  std::size_t CountOf(std::initializer_list<std::string_view> words) const {
    return static_cast<std::size_t>(std::ranges::count_if(lines_, [&](const std::string& line) {
      return std::ranges::all_of(words, [&](std::string_view word) { return line.contains(word); });
    }));
  }

 private:
  std::vector<std::string> lines_;
};

}  // namespace falconer::test
