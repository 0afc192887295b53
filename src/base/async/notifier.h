#pragma once
// Notifier: "something changed, look again". Coroutines wait until a predicate over state that
// lives on the same event loop holds.

#include <functional>
#include <list>
#include <string_view>

#include "base/async/call_context.h"

namespace falconer {

class Notifier {
 public:
  // Wakes every waiter to re-check its predicate.
  void NotifyAll();

  // Returns as soon as `holds()` is true; it is asked at once and after each NotifyAll(). Fails
  // with kTimeout or the cancel reason. Whatever `holds` refers to must outlive the call.
  Task<Result<void>> Until(CallContext ctx, std::function<bool()> holds, std::string_view what);

 private:
  std::list<Alarm*> waiting_;
};

}  // namespace falconer
