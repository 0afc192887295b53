#pragma once
// The keys of the server, in a file that only its owner can read.

#include <filesystem>
#include <vector>

#include "api/http/access_keys.h"

namespace falconer::app {

struct ServeKeys {
  api::AccessKeys keys;
  // Made just now, for the first start; nobody can tell them again.
  std::vector<api::NewAccessKey> made;
};

// Reads the file, or makes new keys and writes them when there is none. kIoError; kInvalidSetting
// for a file that is none of ours.
Result<ServeKeys> LoadServeKeys(const std::filesystem::path& data);

}  // namespace falconer::app
