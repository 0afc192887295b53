#include "model/pattern.h"

#include <re2/re2.h>

#include "base/utf8.h"

namespace falconer::model {
namespace {

constexpr std::int64_t kProgramMemory = 1 << 20;

// The glob as an anchored expression.
std::string GlobExpression(std::string_view glob) {
  std::string out = "(?s)^";
  for (std::size_t i = 0; i < glob.size(); ++i) {
    if (glob.substr(i).starts_with("**")) {
      out += ".*";
      while (i + 1 < glob.size() && glob[i + 1] == '*') ++i;
    } else if (glob[i] == '*') {
      out += "[^/]*";
    } else if (glob[i] == '?') {
      out += "[^/]";
    } else {
      if (glob[i] == '\\' && i + 1 < glob.size()) ++i;
      out += re2::RE2::QuoteMeta(re2::StringPiece(&glob[i], 1));
    }
  }
  return out + '$';
}

Result<std::shared_ptr<const re2::RE2>> Program(const std::string& expression) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kProgramMemory);
  auto program = std::make_shared<const re2::RE2>(expression, options);
  if (!program->ok()) {
    return Fail(ErrorCode::kInvalidArgument, "pattern is not valid: " + program->error());
  }
  return program;
}

}  // namespace

Result<Pattern> Pattern::Compile(std::string_view text, PatternMode mode) {
  if (text.empty()) return Fail(ErrorCode::kInvalidArgument, "pattern is empty");
  if (text.size() > kMaxPatternLength) {
    return Fail(ErrorCode::kInvalidArgument,
                "pattern is longer than " + std::to_string(kMaxPatternLength) + " bytes");
  }
  if (!IsValidUtf8(text)) return Fail(ErrorCode::kInvalidArgument, "pattern is not UTF-8");
  Pattern pattern;
  pattern.text_ = text;
  pattern.mode_ = mode;
  if (mode == PatternMode::kRegex || mode == PatternMode::kGlob) {
    const bool is_glob = mode == PatternMode::kGlob;
    TRY_ASSIGN(pattern.program_, Program(is_glob ? GlobExpression(text) : pattern.text_));
  }
  return pattern;
}

bool Pattern::Matches(std::string_view subject) const {
  if (program_) {
    return re2::RE2::PartialMatch(re2::StringPiece(subject.data(), subject.size()), *program_);
  }
  return mode_ == PatternMode::kSubstring ? subject.contains(text_) : subject == text_;
}

}  // namespace falconer::model
