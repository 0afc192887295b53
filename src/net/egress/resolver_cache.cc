#include "net/egress/resolver_cache.h"

#include <algorithm>
#include <utility>

namespace falconer::net {

ResolverCache::ResolverCache(const Executor& executor, Clock& clock, Resolver& inner)
    : ResolverCache(executor, clock, inner, Options{}) {
}

ResolverCache::ResolverCache(const Executor& executor, Clock& clock, Resolver& inner,
                             Options options)
    : state_(std::make_shared<State>(
          State{.ctx = CallContext(executor, clock), .inner = inner, .options = options})),
      scope_(executor) {
}

bool ResolverCache::State::IsFresh(const Entry& entry) const {
  return !entry.found || ctx.clock().Now() < entry.until;
}

void ResolverCache::State::MakeRoom() {
  if (entries.size() < options.max_names) return;
  std::erase_if(entries, [this](const auto& entry) { return !IsFresh(*entry.second); });
  if (entries.size() < options.max_names) return;
  const auto by_age = [](const auto& a, const auto& b) {
    return a.second->until < b.second->until;
  };
  entries.erase(std::ranges::min_element(entries, by_age));
}

Task<Result<Addresses>> ResolverCache::Resolve(CallContext ctx, std::string name) {
  const auto state = state_;
  const auto at = state->entries.find(name);
  std::shared_ptr<Entry> entry = at == state->entries.end() ? nullptr : at->second;
  if (!entry || !state->IsFresh(*entry)) {
    state->entries.erase(name);
    state->MakeRoom();
    entry = std::make_shared<Entry>();
    entry->until = ctx.clock().Now() + state->options.lookup_timeout;
    state->entries[name] = entry;
    scope_.Spawn("egress.lookup", LookUp(state, std::move(name), entry));
  }
  const auto is_found = [&entry] { return entry->found.has_value(); };
  CO_TRY(co_await entry->changed.Until(ctx, is_found, "the addresses of a name"));
  co_return *entry->found;
}

// On its own: whoever asked first may lose interest before the others do.
Task<void> ResolverCache::LookUp(std::shared_ptr<State> state, std::string name,
                                 std::shared_ptr<Entry> entry) {
  const CallContext ctx = state->ctx.WithTimeout(state->options.lookup_timeout);
  entry->found = co_await state->inner.Resolve(ctx, name);
  entry->until = ctx.clock().Now() + state->options.keep;
  const auto at = state->entries.find(name);
  const bool is_ours = at != state->entries.end() && at->second == entry;
  if (is_ours && !*entry->found) state->entries.erase(at);
  entry->changed.NotifyAll();
}

}  // namespace falconer::net
