#include "agent/ghost/block_judge.h"

#include <algorithm>
#include <fmt/format.h>

namespace falconer::agent {
namespace {

constexpr double kSureDenied = 0.85;
// More words than any wall has.
constexpr std::int64_t kWallWords = 250;
// A question over a page that has much else.
constexpr double kInTheWay = 0.12;

bool IsThin(const BlockFacts& facts) {
  return facts.chars < 600 || facts.words < 120;
}

// Nothing else to read, to fill in or to follow.
bool IsAlone(const BlockFacts& facts) {
  return facts.words < 150 && facts.fields == 0 && facts.links < 8;
}

// The mark that stands between the page and its visitor.
const BlockMark* Standing(const BlockFacts& facts, Wall wall) {
  const auto found = std::ranges::find_if(facts.marks, [&](const BlockMark& mark) {
    if (mark.wall != wall) return false;
    if (mark.is_widget) return IsAlone(facts);
    return facts.words < kWallWords || mark.share >= kInTheWay;
  });
  return found == facts.marks.end() ? nullptr : &*found;
}

std::string MarkReason(const BlockFacts& facts, std::initializer_list<Wall> walls) {
  for (const Wall wall : walls) {
    if (const BlockMark* mark = Standing(facts, wall))
      return fmt::format("the page is a {}: {}", mark->is_widget ? "check" : "wall", mark->name);
  }
  return "";
}

std::string CloudflareReason(const BlockFacts& facts, std::int64_t) {
  return MarkReason(facts, {Wall::kCloudflare});
}

// Letters in a picture have a field for the answer, so that one counts for none.
std::string CaptchaReason(const BlockFacts& facts, std::int64_t) {
  if (std::string reason = MarkReason(facts, {Wall::kCaptcha}); !reason.empty()) return reason;
  const bool has_check = std::ranges::any_of(
      facts.marks, [](const BlockMark& mark) { return mark.wall == Wall::kCaptcha; });
  const bool is_only_that =
      facts.fields <= 1 && facts.words < 150 && facts.links < 8 && facts.Says(Saying::kRobot);
  return has_check && is_only_that ? "the page asks for what a picture shows, and has nothing else"
                                   : "";
}

std::string GuardReason(const BlockFacts& facts, std::int64_t) {
  return MarkReason(facts, {Wall::kDataDome, Wall::kPerimeterX});
}

std::string ChallengeReason(const BlockFacts& facts, std::int64_t) {
  return MarkReason(facts, {Wall::kAkamai, Wall::kImperva, Wall::kBot});
}

std::string SessionReason(const BlockFacts& facts, std::int64_t) {
  if (std::string reason = MarkReason(facts, {Wall::kSession}); !reason.empty()) return reason;
  const bool goes_on = facts.refreshes || facts.has_hidden_form;
  return IsAlone(facts) && goes_on && facts.Says(Saying::kVerifying)
             ? "the page checks the visit and goes on by itself"
             : "";
}

std::string SureDeniedReason(const BlockFacts& facts, std::int64_t status) {
  if (std::string reason = MarkReason(facts, {Wall::kDenied}); !reason.empty()) return reason;
  const bool is_refusal = status == 401 || status == 403 || status == 451;
  return is_refusal && IsAlone(facts) && facts.Says(Saying::kDenied)
             ? fmt::format("status {}, and the page only says that access is denied", status)
             : "";
}

std::string RobotReason(const BlockFacts& facts, std::int64_t) {
  return IsAlone(facts) && facts.Says(Saying::kRobot)
             ? "the page only says that it takes the visitor for a program"
             : "";
}

std::string DeniedReason(const BlockFacts& facts, std::int64_t) {
  return IsAlone(facts) && facts.Says(Saying::kDenied) ? "the page only says that access is denied"
                                                       : "";
}

template <std::int64_t code>
std::string StatusReason(const BlockFacts& facts, std::int64_t status) {
  return status == code && IsThin(facts) ? fmt::format("status {} and little to read", code) : "";
}

std::string ShellReason(const BlockFacts& facts, std::int64_t) {
  const bool is_shell = facts.chars < 200 && facts.words < 30 && facts.html_chars > 500 &&
                        facts.mount == Mount::kEmpty && facts.fields == 0;
  return is_shell ? "the page is made by a script that has put nothing there" : "";
}

struct JudgeRow {
  BlockSignal signal;
  double confidence;
  // "" when it does not hold.
  std::string (*reason)(const BlockFacts& facts, std::int64_t status);
};

// What is told by structure comes before what is told by words, and that before mere statuses.
constexpr JudgeRow kJudgeRows[] = {
    {BlockSignal::kCloudflareChallenge, 0.95, CloudflareReason},
    {BlockSignal::kCaptcha, 0.95, CaptchaReason},
    {BlockSignal::kBotChallenge, 0.9, GuardReason},
    {BlockSignal::kBotChallenge, 0.85, ChallengeReason},
    {BlockSignal::kSessionVerification, 0.9, SessionReason},
    {BlockSignal::kAccessDenied, 0.9, SureDeniedReason},
    {BlockSignal::kBotChallenge, 0.85, RobotReason},
    {BlockSignal::kAccessDenied, 0.8, DeniedReason},
    {BlockSignal::kHttp429, 0.8, StatusReason<429>},
    {BlockSignal::kHttp503, 0.75, StatusReason<503>},
    {BlockSignal::kHttp403, 0.7, StatusReason<403>},
    {BlockSignal::kEmptySpaShell, 0.6, ShellReason},
};

}  // namespace

bool BlockVerdict::Triggers() const {
  return signal != BlockSignal::kAccessDenied || confidence >= kSureDenied;
}

std::optional<BlockVerdict> JudgeBlock(const BlockFacts& facts, std::int64_t status) {
  for (const JudgeRow& row : kJudgeRows) {
    std::string reason = row.reason(facts, status);
    if (!reason.empty())
      return BlockVerdict{
          .signal = row.signal, .confidence = row.confidence, .reason = std::move(reason)};
  }
  return std::nullopt;
}

bool IsWall(BlockSignal signal) {
  switch (signal) {
    case BlockSignal::kCloudflareChallenge:
    case BlockSignal::kCaptcha:
    case BlockSignal::kSessionVerification:
    case BlockSignal::kAccessDenied:
    case BlockSignal::kBotChallenge:
      return true;
    case BlockSignal::kEmptySpaShell:
    case BlockSignal::kHttp403:
    case BlockSignal::kHttp429:
    case BlockSignal::kHttp503:
      return false;
  }
  return false;
}

}  // namespace falconer::agent
