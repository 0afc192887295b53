#pragma once
// MarksGate: chooses among elements that are marked with numbers in a picture, for contracts that
// escalate to vision_fallback. A model that sees is asked, if there is one; otherwise the words in
// the picture are read, and the target is where its name stands, if that is in one place only.

#include "agent/ghost/ghost_reader.h"
#include "engine/vision/vision_gate.h"

namespace falconer::agent {

class MarksGate final : public engine::VisionGate {
 public:
  // What the setup refers to must outlive the gate.
  explicit MarksGate(GhostSetup setup) : setup_(std::move(setup)) {}

  // kProviderAnswerInvalid for an answer that is no number of a mark; fails as who looks does.
  Task<Result<engine::VisionChoice>> Choose(CallContext ctx,
                                            engine::VisionQuestion question) override;

 private:
  Task<Result<engine::VisionChoice>> ByModel(CallContext ctx,
                                             const engine::VisionQuestion* question) const;
  Task<Result<engine::VisionChoice>> ByWords(CallContext ctx,
                                             const engine::VisionQuestion* question) const;

  GhostSetup setup_;
};

// The number in a model's answer: of a mark, or 0.
Result<int> ParseMarkAnswer(std::string_view answer, std::size_t marks);

// Where the words of the name stand beside each other on one line; nothing when that is nowhere or
// in several places. Case and signs do not count.
std::optional<model::Rect> PlaceOf(std::string_view name, const std::vector<OcrWord>& words);

}  // namespace falconer::agent
