#pragma once
// The parts of a multipart/form-data body, as they lie in it.

#include <string>
#include <string_view>
#include <vector>

namespace falconer::engine {

struct MultipartPart {
  std::string field;
  std::string file_name;
  bool is_file = false;
  std::string content_type;
  std::string_view content;  // of the body
};

struct MultipartBody {
  std::vector<MultipartPart> parts;
  bool is_whole = true;  // false when the body does not have the form that its type says
};

MultipartBody ReadMultipartBody(std::string_view content_type, std::string_view body);

}  // namespace falconer::engine
