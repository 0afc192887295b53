#include "predict/eval/sequence_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <unordered_map>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "predict/signature.h"

namespace falconer::predict {
namespace {

// A line that long is no sequence of steps, but another kind of file.
constexpr std::size_t kMostSteps = 100'000;
constexpr std::size_t kMostLineBytes = std::size_t{1} << 20;
constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;

std::unexpected<Error> BadLine(std::size_t line, std::string_view why) {
  return Fail(
      Error(ErrorCode::kInvalidArgument, fmt::format("line {}: {}", line, why), {{"line", line}}));
}

Result<void> CheckLine(std::string_view text, std::size_t line) {
  if (text.size() > kMostLineBytes)
    return BadLine(line, fmt::format("longer than {} bytes", kMostLineBytes));
  if (!IsValidUtf8(text)) return BadLine(line, "not UTF-8");
  const auto is_control = [](char c) { return c == '\x7f' || (c >= 0 && c < ' ' && !IsSpace(c)); };
  if (std::ranges::any_of(text, is_control)) return BadLine(line, "holds a control character");
  return {};
}

class SequenceReader {
 public:
  Result<void> ReadLine(std::string_view text, std::size_t line) {
    TRY(CheckLine(text, line));
    std::vector<std::uint64_t> steps;
    for (;;) {
      const auto* const begin = std::ranges::find_if_not(text, IsSpace);
      text.remove_prefix(static_cast<std::size_t>(begin - text.begin()));
      if (text.empty()) break;
      const auto* const end = std::ranges::find_if(text, IsSpace);
      const auto length = static_cast<std::size_t>(end - text.begin());
      if (steps.size() == kMostSteps)
        return BadLine(line, fmt::format("more than {} steps", kMostSteps));
      steps.push_back(SymbolFor(text.substr(0, length)));
      text.remove_prefix(length);
    }
    set_.steps += steps.size();
    if (!steps.empty()) set_.sequences.push_back(std::move(steps));
    return {};
  }

  SequenceSet Take() {
    set_.symbols = symbols_.size();
    return std::move(set_);
  }

 private:
  std::uint64_t SymbolFor(std::string_view word) {
    const auto [found, is_new] = symbols_.try_emplace(std::string(word));
    if (is_new) found->second = SymbolOf(word);
    return found->second;
  }

  std::unordered_map<std::string, std::uint64_t> symbols_;
  SequenceSet set_;
};

}  // namespace

Result<SequenceSet> ParseSequences(std::string_view text) {
  SequenceReader reader;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    TRY(reader.ReadLine(text.substr(0, length), line));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  SequenceSet set = reader.Take();
  if (set.sequences.empty()) return Fail(ErrorCode::kInvalidArgument, "there is no sequence in it");
  return set;
}

Result<SequenceSet> LoadSequences(const std::filesystem::path& path) {
  TRY_ASSIGN(const std::string text, ReadFile(path, kMostFileBytes + 1));
  if (text.size() > kMostFileBytes)
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: larger than {} bytes", path.string(), kMostFileBytes));
  Result<SequenceSet> set = ParseSequences(text);
  if (set) return set;
  const Error& error = set.error();
  return Fail(
      Error(error.code(), fmt::format("{}: {}", path.string(), error.message()), error.details()));
}

}  // namespace falconer::predict
