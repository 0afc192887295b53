#pragma once
// ProviderSpec: one row of the setting agent.providers: where a model is, what it can do, what it
// costs, and which secret is its key. Keys are named, never written into settings.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agent/providers/chat_answer.h"
#include "policy/secrets/secret_reference.h"

namespace falconer::agent {

enum class ProviderKind : std::uint8_t { kOpenAiChat, kOpenAiResponses, kAnthropic, kOllama };

inline constexpr EnumName<ProviderKind> kProviderKinds[] = {
    {ProviderKind::kOpenAiChat, "openai_chat"},
    {ProviderKind::kOpenAiResponses, "openai_responses"},
    {ProviderKind::kAnthropic, "anthropic"},
    {ProviderKind::kOllama, "ollama"},
};

// Of a million tokens, in whatever currency budgets are in.
struct TokenPrice {
  double input = 0;
  double cached_input = 0;
  double output = 0;
};

struct ProviderSpec {
  std::string name;
  ProviderKind kind = ProviderKind::kOpenAiChat;
  std::string url;  // what the dialect's path is put behind
  std::string model;
  std::optional<policy::SecretReference> key = {};
  TokenPrice price = {};
  bool sees = false;  // pictures
  bool calls_tools = true;
  bool reasons = false;      // thinks before it answers: takes no temperature
  std::int64_t context = 0;  // tokens of request and answer together; 0: not known
  std::chrono::milliseconds first_byte = std::chrono::seconds(60);
  std::chrono::milliseconds quiet = std::chrono::seconds(60);  // between pieces
  std::chrono::milliseconds timeout = std::chrono::seconds(120);
  std::int64_t max_answer_bytes = std::int64_t{16} << 20;
  std::filesystem::path authorities = {};  // who vouches for the server; empty: as the system says
};

// More than this are never tried for one answer.
inline constexpr std::size_t kMaxProviders = 5;

// The rows of the setting. kInvalidSetting, naming the row and the field; never quoting a key.
Result<std::vector<ProviderSpec>> ParseProviders(const json::array& rows);

// Rounded up: a budget kept by it is kept.
std::int64_t CostMicros(const TokenPrice& price, const TokenUsage& usage);

}  // namespace falconer::agent
