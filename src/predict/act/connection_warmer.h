#pragma once
// ConnectionWarmer: opens the way to a host before anything is asked of it: its name is looked up
// and a connection is opened by the rules of the way out. Nothing is sent.

#include <string>

#include "base/ids.h"

namespace falconer::predict {

class ConnectionWarmer {
 public:
  virtual ~ConnectionWarmer() = default;
  // "https://pay.example/": nothing of a page's address but where it is. Nobody waits for it, and
  // nobody is told when it fails.
  virtual void Warm(const std::string& origin) = 0;
};

}  // namespace falconer::predict
