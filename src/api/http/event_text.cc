#include "api/http/event_text.h"

#include <fmt/format.h>

namespace falconer::api {

std::string SseText(std::string_view id, std::string_view name, std::string_view data) {
  std::string text = id.empty() ? "" : fmt::format("id: {}\n", id);
  return text + fmt::format("event: {}\ndata: {}\n\n", name, data);
}

std::string BusEventName(const kernel::BusEvent& event) {
  if (const auto* record = std::get_if<model::EventRecord>(&event)) return record->kind;
  return std::string(model::SignalName(std::get<model::ControlSignal>(event).signal));
}

json::object BusEventJson(const kernel::BusEvent& event) {
  return std::visit([](const auto& content) { return content.ToJson(); }, event);
}

}  // namespace falconer::api
