#pragma once
// What is asked of a page that may have to be read from its picture, and what came of it. Plain
// data.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/ghost/block_judge.h"
#include "agent/ghost/ocr_words.h"

namespace falconer::agent {

enum class GhostMethod : std::uint8_t { kAuto, kOcr, kVision };

inline constexpr EnumName<GhostMethod> kGhostMethods[] = {
    {GhostMethod::kAuto, "auto"},
    {GhostMethod::kOcr, "ocr"},
    {GhostMethod::kVision, "vision"},
};

// When the picture is read.
enum class GhostTrigger : std::uint8_t {
  kWhenBlocked,  // when the page looks blocked, and agent.ghost.auto_trigger says so
  kAlways,       // it was asked for by name
};

struct GhostWish {
  std::string url = {};  // "" for the page that the session shows
  // The workflow whose session is used; "" for one of its own, which is closed again.
  std::string session = {};
  std::string prompt = {};  // text, prices, layout, or words of its own; for models
  bool viewport_only = false;
  bool allow_ghost = false;  // the run or the call allows it
  GhostTrigger trigger = GhostTrigger::kWhenBlocked;
  GhostMethod method = GhostMethod::kAuto;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  // of each contract
  std::int64_t max_chars = 100'000;
};

// Where the content comes from.
enum class RenderMode : std::uint8_t {
  kDom,       // the page as it was read
  kGhost,     // its picture
  kGhostDom,  // a picture was taken, and the page itself gave more
};

inline constexpr EnumName<RenderMode> kRenderModes[] = {
    {RenderMode::kDom, "dom"},
    {RenderMode::kGhost, "ghost"},
    {RenderMode::kGhostDom, "ghost_dom"},
};

struct GhostResult {
  bool success = false;
  std::string url = {};
  std::string title = {};
  std::int64_t status = 0;
  std::string content = {};
  RenderMode render_mode = RenderMode::kDom;
  std::optional<BlockVerdict> block = std::nullopt;
  std::chrono::milliseconds capture{0};
  std::chrono::milliseconds extraction{0};
  std::chrono::milliseconds total{0};
  std::string provider = {};  // what read the picture: a program, or a row of agent.providers
  std::int64_t cost_micros = 0;
  int tries = 0;                 // pictures that were taken
  bool blocked_content = false;  // what there is to read is what the wall says
  // Why there is no success.
  std::optional<Error> error = std::nullopt;
  std::string screenshot = {};  // the artifact's id
  std::string workflow = {};    // that it belongs to
  std::string session = {};     // where a person can take over; "" when it is closed
  bool truncated = false;
  std::vector<OcrWord> words = {};

  // Everything but the words.
  json::object ToJson() const;
};

}  // namespace falconer::agent
