#pragma once
// SiteJournal: what the test site was asked and what its pages reported. Written on the site's
// thread, read and awaited from any other.

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/notifier.h"
#include "base/json/json.h"
#include "net/http_message.h"

namespace falconer::test {

// Something a page reported with report(name, detail).
struct Effect {
  std::string page;
  std::string name;
  json::value detail;
};

class SiteJournal {
 public:
  void Add(const net::HttpRequest& request);
  void Add(Effect effect);
  void Clear();

  // All requests for a path in the order they came; every request for "".
  std::vector<net::HttpRequest> Requests(std::string_view path) const;
  std::size_t RequestCount(std::string_view path) const;
  // All effects of a name; every effect for "".
  std::vector<Effect> Effects(std::string_view name) const;
  std::size_t EffectCount(std::string_view name) const;

  // Returns once `holds()` is true; it is asked at once and after each entry, on the loop of `ctx`.
  Task<Result<void>> Until(CallContext ctx, std::function<bool()> holds, std::string_view what);

 private:
  struct Listener {
    Executor executor;
    std::weak_ptr<Notifier> notifier;
  };
  class Listening;

  void TellListeners();

  mutable std::mutex mutex_;
  std::vector<net::HttpRequest> requests_;
  std::vector<Effect> effects_;
  std::list<Listener> listeners_;
};

}  // namespace falconer::test
