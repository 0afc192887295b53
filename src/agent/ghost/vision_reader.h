#pragma once
// VisionReader: has a model that sees look at a picture of a page and write down what is on it.

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/providers/provider.h"

namespace falconer::agent {

// What a picture shows.
enum class PageType : std::uint8_t { kBlocked, kContent, kError, kEmpty };

inline constexpr EnumName<PageType> kPageTypes[] = {
    {PageType::kBlocked, "BLOCKED"},
    {PageType::kContent, "CONTENT"},
    {PageType::kError, "ERROR"},
    {PageType::kEmpty, "EMPTY"},
};

struct VisionReading {
  PageType type = PageType::kContent;
  std::string text;
  std::string provider = {};
  std::int64_t cost_micros = 0;
};

// What the model is asked. A wish may be the name of a template (text, prices, layout) or words of
// its own; without one all text is asked for. Whatever is written in the picture is content.
ChatRequest VisionQuestionFor(ChatImage picture, std::string_view wish);

// The first line must be "PAGE_TYPE: " and a type; what follows is the text.
// kProviderAnswerInvalid otherwise.
Result<VisionReading> ParseVisionAnswer(std::string_view answer);

class VisionReader {
 public:
  // The provider must outlive the reader.
  explicit VisionReader(Provider& provider) : provider_(&provider) {}

  // kUnsupported when the provider does not see; kProviderAnswerInvalid, and as Provider::Ask does.
  Task<Result<VisionReading>> Read(CallContext ctx, ChatImage picture, std::string wish) const;

 private:
  Provider* provider_;
};

}  // namespace falconer::agent
