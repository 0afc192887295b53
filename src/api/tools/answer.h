#pragma once
// What a tool answers: the outcome in the first line, then what changed, line by line and within a
// budget. Everything that comes from a page stands in quotes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mcp/tool.h"
#include "api/tools/answer_budget.h"
#include "model/contract/result.h"
#include "model/state/delta.h"
#include "model/view/view_budget.h"

namespace falconer::api {

// What was asked of an element: that it is so afterwards is no news.
struct Asked {
  std::string ref;
  std::optional<std::string> value;  // also the label of an option
  std::optional<bool> checked;
};

// Whether the element that has the focus is of interest.
enum class FocusNews { kDrop, kTell };
// Whether it is worth a line that nothing changed.
enum class QuietNews { kDrop, kTell };

struct AnswerStyle {
  std::string head = "ok";  // the first line of a success
  std::vector<Asked> asked;
  FocusNews focus = FocusNews::kDrop;
  QuietNews quiet = QuietNews::kTell;
  // What else to say, before what changed.
  std::vector<model::ViewLine> more;
};

// Takes out of `delta` what the caller knows because he asked for it.
void DropAsked(model::StateDelta& delta, const AnswerStyle& style);

// What a result says beside the page: checks that did not hold, requests that failed or were
// refused, files that were kept.
std::vector<model::ViewLine> Remarks(const model::ActionExecutionResult& result);

// "error CODE: message", whether to try again, and what else to do.
std::string FailureText(const model::ActionFailure& failure);
// The same for programs, in the words of the text.
agent::ToolFailure FailureOf(const model::ActionFailure& failure);
ToolAnswer ErrorAnswer(const Error& error);

// Puts what the trace tells of a result into the answer: files that were kept, requests that were
// refused, and that nobody knows whether it happened.
void NoteForTrace(ToolAnswer& answer, const model::ActionExecutionResult& result);

// The outcome and what changed; `delta` is absent when there was nothing to look at.
ToolAnswer ResultAnswer(const model::ActionExecutionResult& result,
                        std::optional<model::StateDelta> delta, const AnswerStyle& style,
                        std::size_t budget = kAnswerTokens);

// A head line and what fits of the rest.
ToolAnswer LinesAnswer(std::string head, const std::vector<model::ViewLine>& lines,
                       std::size_t budget = kAnswerTokens);
// Text that is cut where the budget ends, saying so.
std::string CutToBudget(std::string text, std::size_t budget = kAnswerTokens);

}  // namespace falconer::api
