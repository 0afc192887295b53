#pragma once
// Server-sent events as text, and the events of a session as they are told.

#include <string>
#include <string_view>

#include "kernel/flow/lanes.h"

namespace falconer::api {

// How long a client waits before it connects again.
inline constexpr std::string_view kSseRetry = "retry: 1000\n";
// Says only that the stream is open.
inline constexpr std::string_view kSseComment = ":\n\n";

// One event; `id` may be empty. `data` has no line breaks, as JSON has none.
std::string SseText(std::string_view id, std::string_view name, std::string_view data);

std::string BusEventName(const kernel::BusEvent& event);
json::object BusEventJson(const kernel::BusEvent& event);

}  // namespace falconer::api
