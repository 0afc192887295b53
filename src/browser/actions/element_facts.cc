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
          .form = in.OptionalObject("form", ReadForm)};
}

}  // namespace

Result<model::ElementFacts> ReadElementFacts(const json::value& met) {
  return ReadJson(met, "met", ReadElement, ErrorCode::kProtocolError);
}

bool HoldsDocument(const model::ElementFacts& met) {
  return std::ranges::find(kFrameTags, met.tag) != kFrameTags.end();
}

}  // namespace falconer::browser
