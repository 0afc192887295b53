#pragma once
// InputHooks: what whoever has an action performed wants to do at the moment of its input.

#include <functional>

#include "base/async/task.h"
#include "base/error.h"
#include "browser/state/page_reading.h"

namespace falconer::browser {

struct InputHooks {
  // Awaited once per action, before the first thing leaves that can have an effect; when it fails,
  // nothing leaves. It gives the page as it was seen before, if anybody looked.
  std::function<Task<Result<PageMark>>()> before;
  // Told the page as the input left it, should it differ from what `before` gave and be known
  // already. Given with it.
  std::function<void(PageReading)> changed;
};

}  // namespace falconer::browser
