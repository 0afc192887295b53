#pragma once
// ModelAdviser: asks a model what to do next where no prediction is sure enough. It answers by
// calling a tool, so that an answer is an action or it is none. What pages say stands between marks
// and is data; values of parameters are never told, only their names.

#include "agent/providers/provider.h"
#include "predict/act/adviser.h"

namespace falconer::agent {

struct AdviserLimits {
  std::size_t most_elements = 150;  // that a model is shown
  std::int64_t max_tokens = 512;    // of its answer
  Duration timeout = std::chrono::seconds(60);
};

class ModelAdviser final : public predict::NextActionAdviser {
 public:
  // The provider must outlive this.
  explicit ModelAdviser(Provider& provider, AdviserLimits limits = {})
      : provider_(provider), limits_(limits) {}

  // kUnsupported when the provider has no tools; kProviderAnswerInvalid for an answer that is no
  // action; and as Provider::Ask does.
  Task<Result<predict::Advice>> Ask(CallContext ctx, predict::AdviceQuestion question) override;

 private:
  Provider& provider_;
  AdviserLimits limits_;
};

// What the model is asked. `word` is what pages cannot know.
ChatRequest AdviceRequest(const predict::AdviceQuestion& question, std::string_view word,
                          const AdviserLimits& limits = {});

// kProviderAnswerInvalid, saying what is wrong.
Result<predict::Advice> ReadAdvice(const ProviderAnswer& answer,
                                   const predict::AdviceQuestion& question);

}  // namespace falconer::agent
