#include "agent/ghost/block_facts.h"

#include <algorithm>

namespace falconer::agent {
namespace {

constexpr Bounds<std::int64_t> kCounts = {0, 1'000'000'000};

BlockMark ReadMark(JsonReader& in) {
  return {.wall = in.Enum("wall", kWalls),
          .name = in.String("name"),
          .is_widget = in.Bool("widget"),
          .share = in.Number("share")};
}

std::vector<Saying> ReadSayings(JsonReader& in, std::string_view key) {
  std::vector<Saying> sayings;
  for (const std::string& name : in.Strings(key)) {
    const auto saying = ValueIn(kSayings, name);
    if (saying) sayings.push_back(*saying);
  }
  return sayings;
}

BlockFacts ReadFacts(JsonReader& in) {
  in.OptionalString("ref");  // of the element that was asked
  const auto count = [&](std::string_view key) { return in.Integer(key, kCounts); };
  return {.title = in.String("title"),
          .status = count("status"),
          .chars = count("chars"),
          .words = count("words"),
          .html_chars = count("html_chars"),
          .fields = count("fields"),
          .links = count("links"),
          .scripts = count("scripts"),
          .refreshes = in.Bool("refresh"),
          .has_hidden_form = in.Bool("hidden_form"),
          .mount = in.Enum("mount", kMounts),
          .marks = in.OptionalObjects("marks", ReadMark),
          .says = ReadSayings(in, "says"),
          .says_in_title = ReadSayings(in, "says_in_title")};
}

}  // namespace

Result<BlockFacts> BlockFacts::FromJson(const json::value& value) {
  return ReadJson(value, "block_facts", ReadFacts);
}

bool BlockFacts::Says(Saying saying) const {
  return std::ranges::find(says, saying) != says.end() ||
         std::ranges::find(says_in_title, saying) != says_in_title.end();
}

}  // namespace falconer::agent
