#pragma once
// ConsoleLog: what a tab's pages and workers say to the console, the errors nobody caught, and the
// browser's own remarks, in order. It only listens: whoever sets up a session sends Runtime.enable
// and Log.enable.

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/async/event_hub.h"
#include "base/async/notifier.h"
#include "base/json/json.h"
#include "cdp/session.h"

namespace falconer::browser {

inline constexpr std::size_t kMaxConsoleMessage = 240;  // characters

enum class ConsoleKind : std::uint8_t { kConsole, kPageError, kLog };

std::string_view ConsoleKindName(ConsoleKind kind);

struct ConsoleEntry {
  std::uint64_t seq = 0;            // rises by one with every entry of a tab
  std::chrono::milliseconds ts{0};  // since the Unix epoch
  ConsoleKind kind = ConsoleKind::kConsole;
  // One of model::kConsoleLevels.
  std::string level;
  // At most kMaxConsoleMessage characters. Page text: not to be trusted.
  std::string message;
  // Where it came from, when known; lines count from 1.
  std::string url;
  int line = 0;

  // All fields; those without a value are left out.
  json::object ToJson() const;
};

class ConsoleLog {
 public:
  // Keeps at most `ring` entries, the newest. `changes` is notified after each; it must outlive the
  // log.
  explicit ConsoleLog(Notifier& changes, std::size_t ring = 200);
  ConsoleLog(const ConsoleLog&) = delete;
  ConsoleLog& operator=(const ConsoleLog&) = delete;

  // Listens to a session until it closes.
  void Follow(const std::shared_ptr<cdp::Session>& session);
  void Unfollow(const cdp::Session& session);

  // A mark for "since this action".
  std::uint64_t last_seq() const { return last_seq_; }
  // Those after `seq` that are kept, oldest first, and how many are not.
  std::vector<ConsoleEntry> EntriesSince(std::uint64_t seq) const;
  std::size_t DroppedSince(std::uint64_t seq) const;
  EventHub<const ConsoleEntry&>& on_entry() { return on_entry_; }

 private:
  void OnCall(cdp::Session& session, const cdp::RuntimeConsoleAPICalled& event);
  void OnException(cdp::Session& session, const cdp::RuntimeExceptionThrown& event);
  void OnLogEntry(const cdp::LogEntry& entry);
  void Add(ConsoleEntry entry);

  Notifier& changes_;
  std::size_t ring_;
  std::uint64_t last_seq_ = 0;
  std::deque<ConsoleEntry> entries_;
  std::unordered_map<const cdp::Session*, std::vector<Subscription>> followed_;
  EventHub<const ConsoleEntry&> on_entry_;
};

}  // namespace falconer::browser
