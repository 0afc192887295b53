#pragma once
// WorkflowDifferences: what is different between two workflows that are the same but for that, as
// parameters. What differed once is known from then on: the same two texts are the same parameter
// wherever they come back.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "predict/workflows/learned_workflow.h"
#include "predict/workflows/recorded_texts.h"
#include "predict/workflows/step_words.h"

namespace falconer::predict {

// How two texts differ, word by word.
struct WordDifference {
  std::string before;  // what both begin with
  std::string left;
  std::string right;
  std::string after;  // what both end with
  bool has_common_word = false;
};
WordDifference DifferenceOf(std::string_view left, std::string_view right);

// Whether they are the same but for numbers, among words: "Cart 1" and "Cart 12".
bool DifferInNumbers(std::string_view left, std::string_view right);

class WorkflowDifferences {
 public:
  WorkflowDifferences(const LearnedWorkflow& left, const LearnedWorkflow& right);

  // One template for both, by what is known to differ; nothing when that is not enough.
  std::optional<std::string> Same(std::string_view left, std::string_view right) const;
  // The same; where one of them has a parameter, what the other one has there is known from then
  // on.
  std::optional<std::string> Known(std::string_view left, std::string_view right);

  // What a new parameter would be for.
  struct NewDifference {
    std::string name;
    std::string about;
    // The whole text is what differs, also where words of it are the same: it names a thing.
    bool is_whole = false;
  };
  // The same; what is not known becomes a parameter.
  std::optional<std::string> KnownOrNew(std::string_view left, std::string_view right,
                                        const NewDifference& wanted);

  // The texts of the one and the other that parameters stand for.
  const RecordedTexts& left() const { return left_; }
  const RecordedTexts& right() const { return right_; }
  // The right one's template with the names that its parameters have in the left one.
  std::string Renamed(std::string_view right) const;
  // Those that were found to differ here, in the order in which they were.
  const std::vector<WorkflowParameter>& found() const { return found_; }

 private:
  std::optional<std::string> Resolve(const WordDifference& difference);
  std::optional<std::string> Joined(const WordDifference& difference,
                                    const std::optional<std::string>& parameter);

  RecordedTexts left_;
  RecordedTexts right_;
  std::map<std::string, std::string, std::less<>> renamed_;
  NameBook names_{'_'};
  std::vector<WorkflowParameter> found_;
};

}  // namespace falconer::predict
