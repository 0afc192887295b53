#include "api/http/event_texts.h"

#include <algorithm>

#include "api/http/event_text.h"

namespace falconer::api {
namespace {

// Who listens as fast as events come is never further behind than a few turns.
constexpr std::size_t kMostTexts = 32;

std::string MakeText(const kernel::BusEvent& event, ViewGuard& guard) {
  json::object told = BusEventJson(event);
  guard.Clean(told);
  return SseText(std::to_string(kernel::HeaderOf(event).runtime_sequence), BusEventName(event),
                 json::serialize(told));
}

}  // namespace

std::shared_ptr<const std::string> EventTexts::TextOf(const kernel::BusEventPtr& event,
                                                      ViewGuard& guard) {
  const auto known = std::ranges::find(kept_, event, &Told::event);
  if (known != kept_.end()) return known->text;
  kept_.push_front({event, std::make_shared<const std::string>(MakeText(*event, guard))});
  if (kept_.size() > kMostTexts) kept_.pop_back();
  return kept_.front().text;
}

}  // namespace falconer::api
