#include "browser/actions/element_facts.h"

#include <algorithm>
#include <array>

#include "base/json/json_reader.h"

namespace falconer::browser {
namespace {

constexpr std::array<std::string_view, 6> kFrameTags = {"iframe", "frame",       "embed",
                                                        "object", "fencedframe", "portal"};

model::FieldFacts ReadField(JsonReader& in) {
  return {.name = in.String("name"),
          .type = in.String("type"),
          .autocomplete = in.String("autocomplete"),
          .label = in.String("label"),
          .value = in.String("value")};
}

model::FormFacts ReadForm(JsonReader& in) {
  return {.action = in.String("action"),
          .method = in.String("method"),
          .name = in.String("name"),
          .role = in.String("role"),
          .submit = in.String("submit"),
          .fields = in.Objects("fields", ReadField),
          .kinds = {}};
}

model::ElementFacts ReadElement(JsonReader& in) {
  return {.role = in.String("role"),
          .name = in.String("name"),
          .label = in.String("label"),
          .tag = in.String("tag"),
          .type = in.String("type"),
          .identifier = in.String("identifier"),
          .href = in.String("href"),
          .page_url = "",
          .frame_url = "",
          .form = in.OptionalObject("form", ReadForm)};
}

}  // namespace

Result<model::ElementFacts> ReadElementFacts(const json::value& met) {
  return ReadJson(met, "met", ReadElement, ErrorCode::kProtocolError);
}

// A document that was made in place belongs to its maker. One that was fetched belongs to where it
// came from, also when its frame is kept apart from there.
std::string FrameAddress(const ScriptCall& place) {
  if (place.frame->is_main()) return "";
  const Document& document = *place.document;
  const bool is_fetched = document.url.starts_with("https:") || document.url.starts_with("http:");
  return is_fetched || document.origin.empty() ? document.url : document.origin;
}

bool HoldsDocument(const model::ElementFacts& met) {
  return std::ranges::find(kFrameTags, met.tag) != kFrameTags.end();
}

}  // namespace falconer::browser
