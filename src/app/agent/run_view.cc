#include "app/agent/run_view.h"

#include <fmt/format.h>
#include <utility>

#include "base/utf8.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

constexpr std::size_t kHintChars = 56;
constexpr std::size_t kSaidChars = 400;

// What of a call a person wants to see first.
constexpr std::string_view kTelling[] = {"url", "target", "text", "key"};

std::string ShortLine(std::string_view text, std::size_t most) {
  const std::string line = model::PlainLine(text);
  const std::string_view cut = Utf8Prefix(line, most);
  return std::string(cut) + (cut.size() < line.size() ? "…" : "");
}

std::string HintOfCall(const json::object& arguments) {
  for (const std::string_view name : kTelling) {
    const std::string value = TextAt(arguments, name);
    if (!value.empty()) return ShortLine(value, kHintChars);
  }
  return "";
}

std::int64_t WholeAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<std::int64_t>() : 0;
}

Ink InkOfStatus(std::string_view status) {
  if (status == "ok") return Ink::kGreen;
  return status == "error" ? Ink::kRed : Ink::kYellow;
}

// What is told of people, in their words.
struct NewsRow {
  std::string_view event;
  std::string_view line;
};

constexpr NewsRow kNewsRows[] = {
    {"paused", "  paused"},
    {"resumed", "  goes on"},
    {"waiting_for_approval", "  waits for people; its time stands still"},
    {"approval_over", "  people have decided"},
    {"handed_over", "  a person drives the session; its time stands still"},
    {"handed_back", "  the session was handed back"},
};

}  // namespace

std::string CostText(std::int64_t micros) {
  return fmt::format("{}.{:04}", micros / 1'000'000, micros % 1'000'000 / 100);
}

void RunView::Began(const std::string& run) {
  terminal_.Print(terminal_.Paint(Ink::kDim, "run " + run));
}

// What the model says comes in pieces; people read lines.
void RunView::SayText() {
  if (text_.empty()) return;
  terminal_.Print(
      terminal_.Paint(Ink::kDim, "  “" + ShortLine(std::exchange(text_, {}), kSaidChars) + "”"));
}

void RunView::OnToolStarted(const json::object& facts) {
  SayText();
  const json::value* arguments = facts.if_contains("arguments");
  const std::string hint =
      arguments != nullptr && arguments->is_object() ? HintOfCall(arguments->get_object()) : "";
  terminal_.Print(fmt::format("  {} {}", terminal_.Paint(Ink::kBold, TextAt(facts, "tool")), hint));
}

void RunView::OnToolEnded(const json::object& facts) {
  const std::string status = TextAt(facts, "status");
  const std::string code = TextAt(facts, "error_code");
  terminal_.Print(fmt::format(
      "    {}{}  {}", terminal_.Paint(InkOfStatus(status), status),
      code.empty() ? "" : " " + code + ": " + ShortLine(TextAt(facts, "error"), kSaidChars),
      terminal_.Paint(Ink::kDim, fmt::format("{} ms", WholeAt(facts, "ms")))));
}

void RunView::OnUsage(const json::object& facts) {
  SayText();
  terminal_.Print(terminal_.Paint(
      Ink::kDim, fmt::format("step {}  {}  {} tokens so far, cost {}", WholeAt(facts, "step"),
                             model::PlainLine(TextAt(facts, "provider")), WholeAt(facts, "tokens"),
                             CostText(WholeAt(facts, "cost_micros")))));
}

void RunView::Tell(const agent::RunEvent& event) {
  if (event.name == "text") text_ += TextAt(event.facts, "text");
  // What was said so far no longer counts.
  if (event.name == "restart") text_.clear();
  if (event.name == "usage") OnUsage(event.facts);
  if (event.name == "tool_started") OnToolStarted(event.facts);
  if (event.name == "tool_ended") OnToolEnded(event.facts);
  for (const NewsRow& row : kNewsRows)
    if (row.event == event.name) terminal_.Print(terminal_.Paint(Ink::kYellow, row.line));
}

void RunView::Ended(const json::object& result) {
  const bool is_good = IsTrueAt(result, "success");
  const json::object& total = result.at("summary").at("total").as_object();
  const json::object& usage = total.at("usage").as_object();
  terminal_.Print(fmt::format(
      "{} after {} steps, {:.1f} s, {} tokens in, {} out, cost {}",
      terminal_.Paint(is_good ? Ink::kGreen : Ink::kRed, TextAt(result, "stop_reason")),
      WholeAt(result, "steps"), static_cast<double>(WholeAt(result, "wall_time_ms")) / 1000,
      WholeAt(usage, "input"), WholeAt(usage, "output"), CostText(WholeAt(total, "cost_micros"))));
  if (const json::value* error = result.if_contains("error"); error && error->is_object())
    terminal_.Complain(fmt::format("{}: {}", TextAt(error->get_object(), "code"),
                                   model::PlainLine(TextAt(error->get_object(), "message"))));
  const std::string response = TextAt(result, "response");
  if (!response.empty()) terminal_.Print("\n" + model::PlainText(response));
}

}  // namespace falconer::app
