#include "browser/tabs/console_log.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "model/action/wait.h"
#include "model/url.h"

namespace falconer::browser {
namespace {

using model::ConsoleLevel;

constexpr EnumName<ConsoleKind> kKinds[] = {
    {ConsoleKind::kConsole, "console"},
    {ConsoleKind::kPageError, "pageerror"},
    {ConsoleKind::kLog, "log"},
};

struct NamedLevel {
  std::string_view name;
  ConsoleLevel level;
};

// How the browser calls what is more or less than plain information.
constexpr NamedLevel kLevels[] = {
    {"error", ConsoleLevel::kError},     {"assert", ConsoleLevel::kError},
    {"warning", ConsoleLevel::kWarning}, {"debug", ConsoleLevel::kDebug},
    {"verbose", ConsoleLevel::kDebug},
};

// Calls that arrange the console and say nothing.
constexpr std::string_view kSilentCalls[] = {"clear", "endGroup", "profile", "profileEnd"};

std::string LevelOf(std::string_view name) {
  const auto found = std::ranges::find(kLevels, name, &NamedLevel::name);
  const auto level = found == std::end(kLevels) ? ConsoleLevel::kInfo : found->level;
  return std::string(NameIn(model::kConsoleLevels, level));
}

std::chrono::milliseconds Epoch(double milliseconds) {
  return std::chrono::milliseconds(std::llround(milliseconds));
}

// The browser counts lines from 0.
int LineFrom(std::optional<std::int64_t> number) {
  return number ? static_cast<int>(*number) + 1 : 0;
}

std::string TextOf(const cdp::RemoteObject& argument) {
  if (argument.subtype == "null") return "null";
  if (argument.value && argument.value->is_string()) {
    return std::string(argument.value->get_string());
  }
  if (argument.unserializable_value) return *argument.unserializable_value;
  if (argument.description) return *argument.description;
  return argument.value ? json::serialize(*argument.value) : argument.type;
}

std::string Shortened(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    const bool is_continuation = (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;
    if (!is_continuation && ++characters > kMaxConsoleMessage) break;
  }
  return std::string(text.substr(0, end));
}

std::string FirstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// "Uncaught TypeError: x is not a function": what a developer would read.
std::string MessageOf(const cdp::ExceptionDetails& details) {
  if (!details.exception) return details.text;
  return details.text + " " + FirstLine(TextOf(*details.exception));
}

void PlaceAtCaller(ConsoleEntry& entry, const std::optional<cdp::StackTrace>& trace) {
  if (!trace || !trace->call_frames || trace->call_frames->empty()) return;
  const cdp::StackFrame& top = trace->call_frames->front();
  entry.url = top.url.value_or("");
  entry.line = LineFrom(top.line_number);
}

// The page's objects would live as long as the page if nobody let them go.
void Release(cdp::Session& session, const cdp::RemoteObject& object) {
  if (object.object_id) session.Post(cdp::RuntimeReleaseObject{.object_id = *object.object_id});
}

}  // namespace

std::string_view ConsoleKindName(ConsoleKind kind) {
  return NameIn(kKinds, kind);
}

json::object ConsoleEntry::ToJson() const {
  json::object out{{"seq", seq},
                   {"ts", ts.count()},
                   {"kind", ConsoleKindName(kind)},
                   {"level", level},
                   {"message", message}};
  if (!url.empty()) out["url"] = url;
  if (line > 0) out["line"] = line;
  return out;
}

ConsoleLog::ConsoleLog(Notifier& changes, std::size_t ring)
    : changes_(changes), ring_(std::max<std::size_t>(ring, 1)) {
}

void ConsoleLog::Follow(const std::shared_ptr<cdp::Session>& session) {
  const auto [place, is_new] = followed_.try_emplace(session.get());
  if (!is_new) return;
  auto& list = place->second;
  cdp::Session* const raw = session.get();
  list.push_back(
      session->On<cdp::RuntimeConsoleAPICalled>([this, raw](const auto& e) { OnCall(*raw, e); }));
  list.push_back(session->On<cdp::RuntimeExceptionThrown>(
      [this, raw](const auto& e) { OnException(*raw, e); }));
  list.push_back(session->On<cdp::LogEntryAdded>([this](const auto& e) { OnLogEntry(e.entry); }));
  list.push_back(session->OnClosed([this, raw](const Error&) { Unfollow(*raw); }));
}

void ConsoleLog::Unfollow(const cdp::Session& session) {
  // Kept to the end of the call: it may be one of these subscriptions that called us.
  const auto subscriptions = followed_.extract(&session);
}

void ConsoleLog::OnCall(cdp::Session& session, const cdp::RuntimeConsoleAPICalled& event) {
  for (const cdp::RemoteObject& argument : event.args) Release(session, argument);
  // Context 0 marks what the browser repeats from before we listened.
  if (event.execution_context_id == 0) return;
  if (std::ranges::find(kSilentCalls, event.type) != std::end(kSilentCalls)) return;
  ConsoleEntry entry{.ts = Epoch(event.timestamp), .level = LevelOf(event.type)};
  for (const cdp::RemoteObject& argument : event.args) {
    if (entry.message.size() > 4 * kMaxConsoleMessage) break;
    if (!entry.message.empty()) entry.message += ' ';
    entry.message += TextOf(argument);
  }
  PlaceAtCaller(entry, event.stack_trace);
  Add(std::move(entry));
}

void ConsoleLog::OnException(cdp::Session& session, const cdp::RuntimeExceptionThrown& event) {
  const cdp::ExceptionDetails& details = event.exception_details;
  if (details.exception) Release(session, *details.exception);
  ConsoleEntry entry{.ts = Epoch(event.timestamp),
                     .kind = ConsoleKind::kPageError,
                     .level = LevelOf("error"),
                     .message = MessageOf(details),
                     .url = details.url.value_or(""),
                     .line = LineFrom(details.line_number)};
  if (entry.url.empty()) PlaceAtCaller(entry, details.stack_trace);
  Add(std::move(entry));
}

void ConsoleLog::OnLogEntry(const cdp::LogEntry& entry) {
  Add({.ts = Epoch(entry.timestamp.value_or(0)),
       .kind = ConsoleKind::kLog,
       .level = LevelOf(entry.level),
       .message = entry.text,
       .url = entry.url.value_or(""),
       .line = LineFrom(entry.line_number)});
}

void ConsoleLog::Add(ConsoleEntry entry) {
  entry.seq = ++last_seq_;
  entry.message = Shortened(entry.message);
  entry.url = Utf8Prefix(entry.url, model::kMaxUrlLength);
  if (entries_.size() == ring_) entries_.pop_front();
  entries_.push_back(entry);
  on_entry_.Emit(entry);
  changes_.NotifyAll();
}

std::vector<ConsoleEntry> ConsoleLog::EntriesSince(std::uint64_t seq) const {
  const auto first =
      std::ranges::find_if(entries_, [seq](const ConsoleEntry& entry) { return entry.seq > seq; });
  return {first, entries_.end()};
}

std::size_t ConsoleLog::DroppedSince(std::uint64_t seq) const {
  if (entries_.empty() || entries_.front().seq <= seq + 1) return 0;
  return static_cast<std::size_t>(entries_.front().seq - seq - 1);
}

}  // namespace falconer::browser
