#include "app/demo/step_words.h"

#include <fmt/format.h>

namespace falconer::app {
namespace {

json::object PartOf(const json::object& outcome, std::string_view name) {
  const json::value* found = outcome.if_contains(name);
  return found != nullptr && found->is_object() ? found->get_object() : json::object();
}

std::string TypedWords(const model::TextInput& text) {
  return text.is_secret() ? fmt::format("  <- secret {}", text.value)
                          : fmt::format("  <- \"{}\"", text.value);
}

std::string ActWords(const model::ActionSpec& spec, const json::object& outcome) {
  const json::object navigation = PartOf(outcome, "navigation");
  if (spec.url && !TextAt(navigation, "url").empty()) {
    const json::value* status = navigation.if_contains("status");
    return fmt::format("{}  ({})", TextAt(navigation, "url"),
                       status != nullptr ? json::serialize(*status) : "-");
  }
  std::string what = spec.url.value_or("");
  if (const json::object element = PartOf(outcome, "element"); !element.empty())
    what = fmt::format("{} \"{}\"", TextAt(element, "role"), TextAt(element, "name"));
  if (spec.text) what += TypedWords(*spec.text);
  for (const model::SelectValue& value : spec.select_values)
    what += fmt::format("  <- \"{}\"", value.label.value_or(value.value.value_or("")));
  return what;
}

std::string AttemptWords(const std::vector<model::AttemptRecord>& attempts) {
  std::string out;
  for (std::size_t n = 1; n < attempts.size(); ++n) {
    const model::AttemptRecord& failed = attempts[n - 1];
    out += fmt::format("; again after {} and {} ms",
                       failed.cause ? TraitsOf(*failed.cause).name : "a failure",
                       attempts[n].backoff.count());
  }
  return out;
}

// Requests of the page that were stopped, such as a picture of a host that is not allowed.
std::string RefusedWords(const json::object& outcome) {
  const json::value* refused = outcome.if_contains("refused");
  const std::size_t count =
      refused != nullptr && refused->is_array() ? refused->get_array().size() : 0;
  return count == 0 ? "" : fmt::format("; {} of its requests refused", count);
}

}  // namespace

std::string StepWords(const model::ActionSpec& spec, const model::ActionExecutionResult& result) {
  std::string out = ActWords(spec, result.outcome.value_or(json::object()));
  out += AttemptWords(result.attempts);
  out += RefusedWords(result.outcome.value_or(json::object()));
  const std::size_t checks = result.verification ? result.verification->outcomes.size() : 0;
  if (checks > 0)
    out += fmt::format("; {} {}", checks, checks == 1 ? "check holds" : "checks hold");
  return out;
}

}  // namespace falconer::app
