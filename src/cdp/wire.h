#pragma once
// What the generated protocol is made of: command classes and a reader that remembers the first
// field that did not fit.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace falconer::cdp {

// Who answers a command, and so what can keep it from being answered.
enum class CommandClass {
  kBrowser,   // the browser process: answers while the page hangs
  kRenderer,  // the page's process: silent while a dialog is open, a navigation is held, or it is
              // dead
  kInput,     // answered when the page has handled the event
};

// Reads one protocol object. Unknown fields are ignored: the browser may be newer than the rows.
class Reader {
 public:
  explicit Reader(const json::object& object) : object_(object) {}

  const json::value* Find(std::string_view key) const { return object_.if_contains(key); }
  void Complain(std::string_view key) {
    if (wrong_.empty()) wrong_ = key;
  }
  bool is_ok() const { return wrong_.empty(); }
  const std::string& wrong() const { return wrong_; }

 private:
  const json::object& object_;
  std::string wrong_;
};

}  // namespace falconer::cdp
