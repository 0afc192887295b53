#pragma once
// A refusal during a turn, with the id under which its ruling is on record.

#include <string>
#include <utility>

#include "base/error.h"

namespace falconer::engine {

inline Error WithDenial(const Error& error, const std::string& id) {
  json::object details = error.details();
  details["denial_id"] = id;
  return {error.code(), std::string(error.message()), std::move(details)};
}

}  // namespace falconer::engine
