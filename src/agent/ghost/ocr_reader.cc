#include "agent/ghost/ocr_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "agent/ghost/ocr_layout.h"
#include "agent/nodes/child_run.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

constexpr std::int64_t kOcrMemory = std::int64_t{2} << 30;
constexpr std::int64_t kOcrOutput = std::int64_t{32} << 20;
constexpr std::size_t kMostSaid = 300;
constexpr double kCssDpi = 96;

ChildSpec ReadingChild(const OcrSettings& settings, std::string png, double scale) {
  return {
      .program = settings.program,
      // Segmented by the program itself (3), which finds columns and reads one after the other.
      .arguments = {"stdin", "stdout", "-l", settings.languages, "--psm", "3", "--dpi",
                    std::to_string(std::lround(kCssDpi * scale)), "-c", "tessedit_create_tsv=1"},
      .input = std::move(png),
      // Its threads only wait for each other on pictures of text.
      .environment = {{"OMP_THREAD_LIMIT", "1"}},
      .limits = {.timeout = settings.timeout,
                 .cpu_seconds = std::chrono::ceil<std::chrono::seconds>(settings.timeout).count(),
                 .memory_bytes = kOcrMemory,
                 .output_bytes = kOcrOutput},
      .hidden = settings.hidden};
}

}  // namespace

Result<void> CheckOcrSettings(const OcrSettings& settings) {
  if (settings.program.empty())
    return Fail(ErrorCode::kInvalidSetting, "agent.ghost.ocr_program: must not be empty");
  const std::string& languages = settings.languages;
  const bool is_fine = !languages.empty() && std::ranges::all_of(languages, [](char c) {
    return IsLetter(c) || c == '_' || c == '+';
  });
  if (is_fine) return {};
  return Fail(ErrorCode::kInvalidSetting,
              "agent.ghost.ocr_languages: expected names joined by +, such as eng+deu");
}

Task<Result<OcrReading>> OcrReader::Read(CallContext ctx, std::string png, double scale) const {
  CO_TRY(CheckOcrSettings(settings_));
  CO_TRY_ASSIGN(const ChildEnd end,
                co_await RunChild(std::move(ctx), ReadingChild(settings_, std::move(png), scale)));
  if (end.exit_code != 0) {
    co_return Fail(ErrorCode::kExecutionError,
                   fmt::format("{} ended with {}: {}", settings_.program, end.exit_code,
                               end.errors.substr(0, kMostSaid)));
  }
  CO_TRY_ASSIGN(auto words, ParseOcrTsv(end.output, scale));
  words = InReadingOrder(std::move(words));
  std::string text = LayoutText(words);
  co_return OcrReading{.words = std::move(words), .text = std::move(text)};
}

}  // namespace falconer::agent
