#include "app/egress/egress_book.h"

#include <algorithm>
#include <utility>

namespace falconer::app {
namespace {

using model::EgressEntry;

EgressEntry EntryOf(const net::EgressEvent& event) {
  return {.number = event.number,
          .host = event.ask.host,
          .port = event.ask.port,
          .kind = std::string(NameIn(net::kEgressKinds, event.ask.kind)),
          .method = event.ask.method,
          .address = event.address ? event.address->to_string() : "",
          .bytes_up = event.bytes_up,
          .bytes_down = event.bytes_down,
          .outcome = event.outcome,
          .status = event.status,
          .reason = event.reason,
          .rule = event.rule,
          .decision = event.decision};
}

// A request that was put down as open and moves on: only what changes often is written.
bool IsMove(const EgressEntry& known, const net::EgressEvent& event) {
  return known.outcome == EgressOutcome::kOpen && event.outcome == EgressOutcome::kOpen &&
         !known.address.empty();
}

}  // namespace

void EgressBook::Write(const net::EgressEvent& event) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(event.ask.session);
  if (found == sessions_.end()) return;
  Pages& pages = found->second;
  const auto [at, is_new] = pages.lines.try_emplace(event.number);
  Line& line = at->second;
  model::EgressMark& now = pages.now;
  now.bytes_up += event.bytes_up - line.entry.bytes_up;
  now.bytes_down += event.bytes_down - line.entry.bytes_down;
  now.requests += is_new ? 1 : 0;
  const bool was_refused = line.entry.outcome == EgressOutcome::kRefused;
  now.refused += event.outcome == EgressOutcome::kRefused && !was_refused ? 1 : 0;
  line.changed = ++now.seq;
  if (is_new) line.begun = line.changed;
  if (IsMove(line.entry, event)) {
    line.entry.bytes_up = event.bytes_up;
    line.entry.bytes_down = event.bytes_down;
  } else {
    line.entry = EntryOf(event);
  }
  if (is_new) MakeRoom(pages);
}

void EgressBook::MakeRoom(Pages& pages) const {
  if (pages.lines.size() <= limits_.lines) return;
  const auto has_ended = [](const auto& numbered) {
    return numbered.second.entry.outcome != EgressOutcome::kOpen;
  };
  auto oldest = std::ranges::find_if(pages.lines, has_ended);
  if (oldest == pages.lines.end()) oldest = pages.lines.begin();
  pages.lines.erase(oldest);
}

void EgressBook::Open(const SessionId& session) {
  const std::lock_guard lock(mutex_);
  sessions_.try_emplace(session);
}

model::EgressMark EgressBook::Mark(const SessionId& session) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? model::EgressMark() : found->second.now;
}

model::EgressReport EgressBook::Since(const SessionId& session,
                                      const model::EgressMark& mark) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return {};
  const Pages& pages = found->second;
  model::EgressReport report{.requests = pages.now.requests - mark.requests,
                             .refused = pages.now.refused - mark.refused,
                             .bytes_up = pages.now.bytes_up - mark.bytes_up,
                             .bytes_down = pages.now.bytes_down - mark.bytes_down};
  std::uint64_t begun = 0;
  for (const auto& [number, line] : pages.lines) {
    if (line.changed <= mark.seq) continue;
    report.entries.push_back(line.entry);
    begun += line.begun > mark.seq ? 1 : 0;
  }
  report.dropped = report.requests - std::min(report.requests, begun);
  return report;
}

void EgressBook::Close(const SessionId& session) {
  const std::lock_guard lock(mutex_);
  if (!sessions_.contains(session)) return;
  closed_.push_back(session);
  if (closed_.size() <= limits_.closed_sessions) return;
  sessions_.erase(closed_.front());
  closed_.pop_front();
}

}  // namespace falconer::app
