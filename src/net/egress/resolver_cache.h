#pragma once
// ResolverCache: remembers for a short time what another resolver found, and asks it once for all
// who want the same name at the same time. A page opens many connections to one host. What is
// remembered is not trusted more: whoever dials checks every address again.

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "net/egress/resolver.h"

namespace falconer::net {

class ResolverCache final : public Resolver {
 public:
  struct Options {
    Duration keep = std::chrono::seconds(30);
    std::size_t max_names = 1024;                        // the oldest goes
    Duration lookup_timeout = std::chrono::seconds(30);  // for whoever still waits
  };

  // `inner` and `clock` must outlive it. Failures are not remembered.
  ResolverCache(const Executor& executor, Clock& clock, Resolver& inner);
  ResolverCache(const Executor& executor, Clock& clock, Resolver& inner, Options options);

  Task<Result<Addresses>> Resolve(CallContext ctx, std::string name) override;

 private:
  struct Entry {
    std::optional<Result<Addresses>> found;  // nothing while it is being looked up
    TimePoint until;
    Notifier changed;
  };

  // Shared with lookups, which may outlive the cache by a few steps of the loop.
  struct State {
    bool IsFresh(const Entry& entry) const;
    void MakeRoom();

    CallContext ctx;
    Resolver& inner;
    Options options;
    std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries = {};
  };

  static Task<void> LookUp(std::shared_ptr<State> state, std::string name,
                           std::shared_ptr<Entry> entry);

  std::shared_ptr<State> state_;
  TaskScope scope_;
};

}  // namespace falconer::net
