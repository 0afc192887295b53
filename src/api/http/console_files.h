#pragma once
// The files of the console, embedded from web/console.

#include <span>
#include <string_view>

namespace falconer::api {

struct ConsoleFile {
  // "index.html", or a name that has a digest of the content in it.
  std::string_view name;
  std::string_view content_type;
  std::string_view etag;
  std::string_view plain;
  std::string_view packed;  // by gzip
};

std::span<const ConsoleFile> ConsoleFiles();

}  // namespace falconer::api
