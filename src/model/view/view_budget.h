#pragma once
// A view is what a model reads of a page: short lines. Fit() keeps a view inside its budget: what
// matters least goes first, the order of the rest stays, and a last line says what is missing. The
// same lines and budget always give the same text.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

// In the order in which lines are kept.
enum class Weight : std::uint8_t {
  kIdentity,  // which page and which state this is: never cut
  kAlert,     // dialogs and errors
  kControl,   // what can be acted on
  kText,
  kDetail,
};

// What a line is called when it is missing.
inline constexpr EnumName<Weight> kWeightNames[] = {
    {Weight::kIdentity, "facts"}, {Weight::kAlert, "alerts"},   {Weight::kControl, "elements"},
    {Weight::kText, "texts"},     {Weight::kDetail, "details"},
};

struct ViewLine {
  Weight weight = Weight::kText;
  std::string text;
  bool operator==(const ViewLine&) const = default;
};

struct FittedView {
  std::string text;        // lines joined by line feeds
  std::size_t tokens = 0;  // estimated
  std::size_t cut = 0;     // lines left out
  std::string note;        // "not shown: 3 elements, 12 texts"; "" when nothing was cut
  bool operator==(const FittedView&) const = default;
};

FittedView Fit(const std::vector<ViewLine>& lines, std::size_t budget_tokens);

// What did not fit as it was: enough to fit it again.
struct TrimmedView {
  std::size_t budget = 0;
  std::vector<ViewLine> lines;
  FittedView shown;

  // {"budget", "lines": [[weight, text], ...], "cut", "shown_sha256"}
  json::object ToJson() const;
  // Fits the recorded lines again. kInvalidArgument, naming the field.
  static Result<TrimmedView> Again(const json::value& record);
};

}  // namespace falconer::model
