#include "agent/loop/no_op_detector.h"

#include <algorithm>

#include "base/sha256.h"

namespace falconer::agent {
namespace {

// Marks carry a word that is another one each time: what is between them counts.
std::string SansMarks(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.contains("<untrusted ") && !line.contains("</untrusted "))
      out.append(line).push_back('\n');
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

bool NoOpDetector::Note(const RunStep& step) {
  std::string calls;
  std::string answers;
  for (const RunCall& call : step.calls) {
    calls += call.tool + " " + call.args_hash + "\n";
    answers += std::string(NameIn(kCallStatuses, call.status)) + "\n" + SansMarks(call.text);
  }
  answers = Sha256Hex(answers);
  if (answers_.insert(answers).second) same_.clear();
  in_a_row_ = answers == last_answer_ ? in_a_row_ + 1 : 1;
  last_answer_ = answers;
  const std::int64_t times = ++same_[calls + answers];
  return times >= limit_ || in_a_row_ >= limit_;
}

}  // namespace falconer::agent
