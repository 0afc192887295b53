#pragma once
// What jobs are called: "job_", their time in hex, and something that nobody can guess.

#include <algorithm>
#include <string_view>

namespace falconer::agent {

inline bool IsJobId(std::string_view text) {
  return text.starts_with("job_") && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

}  // namespace falconer::agent
