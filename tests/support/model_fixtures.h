#pragma once
// What models are asked and answer, as it is on the wire: tests/agent/fixtures.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "agent/providers/chat_request.h"
#include "base/file.h"

namespace falconer::test {

inline std::string ModelFixture(const std::string& name) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "../agent/fixtures";
  auto text = ReadFile(folder / name);
  EXPECT_TRUE(text) << name;
  return text.value_or("");
}

inline json::object SampleSchema() {
  return {{"type", "object"},
          {"properties", {{"tab", {{"type", "integer"}}}}},
          {"required", json::array{"tab"}}};
}

// Something of everything that a request can hold.
inline agent::ChatRequest SampleChatRequest() {
  using namespace agent;
  ChatRequest request{.system = "Be brief.", .max_tokens = 512, .temperature = 0.5};
  request.tool_choice = ToolChoice::kRequired;
  request.tools.push_back({"read_page", "Reads a tab.", SampleSchema()});
  request.messages.emplace_back(
      UserMessage{.text = "What is on this page?", .images = {{"image/png", "\x89PNG"}}});
  request.messages.emplace_back(AssistantMessage{
      .text = "I look.",
      .calls = {{"call_1", "read_page", {{"tab", 1}}}, {"call_2", "screenshot", {}}}});
  ToolReplies replies;
  replies.replies.push_back({.call_id = "call_1",
                             .name = "read_page",
                             .text = "no such tab",
                             .outcome = ToolOutcome::kFailed});
  replies.replies.push_back({.call_id = "call_2",
                             .name = "screenshot",
                             .text = "taken",
                             .images = {{"image/jpeg", "\xFF\xD8"}}});
  request.messages.emplace_back(std::move(replies));
  request.messages.emplace_back(UserMessage{.text = "And now?"});
  return request;
}

}  // namespace falconer::test
