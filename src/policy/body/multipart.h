#pragma once
// The parts of a multipart/form-data body, as they lie in it.

#include <string>
#include <string_view>
#include <vector>

namespace falconer::policy {

struct MultipartPart {
  std::string field;
  std::string file_name;
  bool is_file = false;
  std::string content_type;
  std::string_view head;     // its header lines
  std::string_view content;  // both of the body
};

struct MultipartBody {
  std::vector<MultipartPart> parts;
  // False when the body does not have the form that its type says, or has more parts than are read.
  bool is_whole = true;
};

inline constexpr std::size_t kMaxParts = 4096;

// Servers are lenient, and so is this: text before the first part, lines that end without a
// carriage return, and parts beyond the end are read too.
MultipartBody ReadMultipartBody(std::string_view content_type, std::string_view body);

}  // namespace falconer::policy
