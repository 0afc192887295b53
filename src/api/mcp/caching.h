#pragma once
// How long clients of the newest revision may keep an answer, which every list and every resource
// says there.

#include <chrono>

#include "api/mcp/revisions.h"

namespace falconer::api {

// What is fixed as long as the program runs.
inline constexpr std::chrono::milliseconds kFixedTtl = std::chrono::hours(1);
// What may be another the next time.
inline constexpr std::chrono::milliseconds kNoTtl{0};

// For who asked alone: what is offered depends on him.
void AddCaching(json::object& result, McpEra era, std::chrono::milliseconds ttl);

}  // namespace falconer::api
