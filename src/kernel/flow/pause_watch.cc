#include "kernel/flow/pause_watch.h"

#include <algorithm>
#include <utility>

#include "base/async/call_context.h"
#include "base/json/json.h"
#include "base/log.h"

namespace falconer::kernel {

using std::chrono::milliseconds;

struct PauseWard::Wards {
  struct Entry {
    TenantId tenant;
    CancelSource cancel;
  };
  std::uint64_t last_id = 0;
  std::map<std::uint64_t, Entry> entries;
};

Error PausedError(const store::Pause& pause) {
  const bool is_all = pause.tenant.empty();
  const auto since =
      std::chrono::duration_cast<milliseconds>(pause.since.time_since_epoch()).count();
  json::object details{{"reason", pause.reason}, {"by", pause.by}, {"since_ms", since}};
  if (!is_all) details["tenant"] = pause.tenant.value();
  const std::string who = is_all ? "everything" : "tenant " + pause.tenant.value();
  return {ErrorCode::kRuntimePaused, who + " is paused: " + pause.reason, std::move(details)};
}

PauseWard::PauseWard(std::shared_ptr<Wards> wards, std::uint64_t id, CancelToken token)
    : wards_(std::move(wards)), id_(id), token_(std::move(token)) {
}

PauseWard& PauseWard::operator=(PauseWard&& other) noexcept {
  if (this == &other) return *this;
  LetGo();
  wards_ = std::move(other.wards_);
  id_ = other.id_;
  token_ = std::move(other.token_);
  return *this;
}

PauseWard::~PauseWard() {
  LetGo();
}

void PauseWard::LetGo() {
  if (const auto wards = std::exchange(wards_, nullptr)) wards->entries.erase(id_);
}

PauseWatch::PauseWatch(Executor executor, Clock& clock, store::PauseStore& store,
                       milliseconds interval)
    : executor_(std::move(executor)),
      clock_(clock),
      store_(store),
      interval_(interval),
      wards_(std::make_shared<PauseWard::Wards>()),
      tasks_(executor_) {
}

PauseWatch::~PauseWatch() = default;

PauseWard PauseWatch::Begin(TenantId tenant) {
  const std::uint64_t id = ++wards_->last_id;
  auto& entry = wards_->entries[id];
  entry.tenant = std::move(tenant);
  PauseWard ward(wards_, id, entry.cancel.token());
  if (!is_looking_ && !stopped_.is_cancelled()) {
    is_looking_ = true;
    tasks_.Spawn("pause.watch", Look(this));
  }
  return ward;
}

Task<void> PauseWatch::Stop() {
  stopped_.Cancel(Error(ErrorCode::kSessionClosed, "the node stops"));
  co_await tasks_.Join();
}

// Ends by itself some time after the last ward has gone: turns that follow one another share it.
Task<void> PauseWatch::Look(PauseWatch* self) {
  const CallContext ctx =
      CallContext(self->executor_, self->clock_).WithCancel(self->stopped_.token());
  while (!self->wards_->entries.empty()) {
    Alarm never(self->executor_, self->clock_);
    const auto rested = co_await ctx.WithTimeout(self->interval_).Wait(&never, "a while");
    if (!rested && rested.error().code() != ErrorCode::kTimeout) break;
    if (self->wards_->entries.empty()) break;
    const auto pauses = co_await self->store_.ListPauses();
    if (pauses) {
      self->Apply(*pauses);
    } else {
      LOG(warn, "pause.not_asked", {"why", pauses.error().message()});
    }
  }
  self->is_looking_ = false;
}

void PauseWatch::Apply(const std::vector<store::Pause>& pauses) {
  const std::vector<store::Pause> before = std::exchange(known_, pauses);
  for (const store::Pause& pause : pauses) {
    const bool is_new = std::ranges::find(before, pause) == before.end();
    if (is_new) LOG(warn, "pause.noticed", {"tenant", pause.tenant.value()}, {"by", pause.by});
    // Whoever is cancelled may let go of wards: none is looked at after that.
    std::vector<CancelSource> concerned;
    for (const auto& [id, entry] : wards_->entries) {
      if (pause.concerns(entry.tenant)) concerned.push_back(entry.cancel);
    }
    for (CancelSource& cancel : concerned) cancel.Cancel(PausedError(pause));
  }
}

}  // namespace falconer::kernel
