#pragma once
// Whether a page is a wall, and which: a table from facts to a signal, without anything else being
// asked. What a page only mentions or has in a form is none.

#include <cstdint>
#include <optional>
#include <string>

#include "agent/ghost/block_facts.h"

namespace falconer::agent {

enum class BlockSignal : std::uint8_t {
  kCloudflareChallenge,
  kCaptcha,
  kSessionVerification,
  kAccessDenied,
  kBotChallenge,
  kEmptySpaShell,
  kHttp403,
  kHttp429,
  kHttp503,
};

inline constexpr EnumName<BlockSignal> kBlockSignals[] = {
    {BlockSignal::kCloudflareChallenge, "cloudflare_challenge"},
    {BlockSignal::kCaptcha, "captcha"},
    {BlockSignal::kSessionVerification, "session_verification"},
    {BlockSignal::kAccessDenied, "access_denied"},
    {BlockSignal::kBotChallenge, "bot_challenge"},
    {BlockSignal::kEmptySpaShell, "empty_spa_shell"},
    {BlockSignal::kHttp403, "http_403"},
    {BlockSignal::kHttp429, "http_429"},
    {BlockSignal::kHttp503, "http_503"},
};

struct BlockVerdict {
  BlockSignal signal = BlockSignal::kBotChallenge;
  double confidence = 0;
  // What was found, in words of this program.
  std::string reason;

  // Sure enough to do something about it: a page that says "access denied" and nothing else is not.
  bool Triggers() const;
};

// The first row that holds; nothing for a page that can be read. The status is that of the answer
// to the navigation, 0 where it is not known.
std::optional<BlockVerdict> JudgeBlock(const BlockFacts& facts, std::int64_t status);

// A wall keeps a person's answer from the page as well: a picture of it shows the wall. Not so a
// page that was sent with a bad status, or that only a script makes.
bool IsWall(BlockSignal signal);

}  // namespace falconer::agent
