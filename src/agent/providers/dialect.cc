#include "agent/providers/dialect.h"

#include "agent/providers/anthropic_messages.h"
#include "agent/providers/ollama_chat.h"
#include "agent/providers/openai_chat.h"
#include "agent/providers/openai_responses.h"
#include "base/check.h"

namespace falconer::agent {

const Dialect& DialectOf(ProviderKind kind) {
  static const OpenAiChat openai_chat;
  static const OpenAiResponses openai_responses;
  static const AnthropicMessages anthropic;
  static const OllamaChat ollama;
  struct Row {
    ProviderKind kind;
    const Dialect* dialect;
  };
  static const Row rows[] = {{ProviderKind::kOpenAiChat, &openai_chat},
                             {ProviderKind::kOpenAiResponses, &openai_responses},
                             {ProviderKind::kAnthropic, &anthropic},
                             {ProviderKind::kOllama, &ollama}};
  for (const Row& row : rows) {
    if (row.kind == kind) return *row.dialect;
  }
  CHECK(false, "a kind of provider has no dialect");
  return openai_chat;
}

}  // namespace falconer::agent
