#pragma once
// BlockFacts: what a page has of a wall and of a page, as the browser read it
// (browser/injected/blocks/). Plain data.

#include <cstdint>
#include <string>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::agent {

// Whose wall an element belongs to.
enum class Wall : std::uint8_t {
  kCloudflare,
  kCaptcha,
  kDataDome,
  kPerimeterX,
  kAkamai,
  kImperva,
  kBot,
  kDenied,
  kSession,
};

inline constexpr EnumName<Wall> kWalls[] = {
    {Wall::kCloudflare, "cloudflare"},
    {Wall::kCaptcha, "captcha"},
    {Wall::kDataDome, "datadome"},
    {Wall::kPerimeterX, "perimeterx"},
    {Wall::kAkamai, "akamai"},
    {Wall::kImperva, "imperva"},
    {Wall::kBot, "bot"},
    {Wall::kDenied, "denied"},
    {Wall::kSession, "session"},
};

// An element that walls are made of.
struct BlockMark {
  Wall wall = Wall::kBot;
  std::string name;
  // It may also be a part of a form that has another purpose.
  bool is_widget = false;
  // How much of the window it takes.
  double share = 0;
};

// What the page says to its visitors, among other things.
enum class Saying : std::uint8_t { kDenied, kVerifying, kRobot, kLoading };

inline constexpr EnumName<Saying> kSayings[] = {
    {Saying::kDenied, "denied"},
    {Saying::kVerifying, "verifying"},
    {Saying::kRobot, "robot"},
    {Saying::kLoading, "loading"},
};

// Where a script puts the page.
enum class Mount : std::uint8_t { kNone, kEmpty, kFilled };

inline constexpr EnumName<Mount> kMounts[] = {
    {Mount::kNone, "none"},
    {Mount::kEmpty, "empty"},
    {Mount::kFilled, "filled"},
};

struct BlockFacts {
  std::string title;
  std::int64_t status = 0;  // 0 where the browser does not tell
  std::int64_t chars = 0;   // of the text that can be seen
  std::int64_t words = 0;
  std::int64_t html_chars = 0;
  std::int64_t fields = 0;  // that a visitor can fill in
  std::int64_t links = 0;
  std::int64_t scripts = 0;
  bool refreshes = false;        // the page goes somewhere else by itself
  bool has_hidden_form = false;  // there is a form, and nothing in it for a visitor
  Mount mount = Mount::kNone;
  std::vector<BlockMark> marks = {};
  std::vector<Saying> says = {};
  std::vector<Saying> says_in_title = {};

  // From what the page's script answered. kInvalidArgument, naming the field.
  static Result<BlockFacts> FromJson(const json::value& value);
  bool Says(Saying saying) const;
};

}  // namespace falconer::agent
