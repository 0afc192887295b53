#include "predict/signature.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/json/json.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/utf8.h"
#include "predict/typed_text.h"

namespace falconer::predict {
namespace {

using model::ActionType;
using model::Fingerprint;

constexpr std::size_t kMaxSignedText = 80;
// The names that attributes for tests have.
constexpr std::string_view kTestIds[] = {"testid",    "data-testid", "data-test-id",
                                         "data-test", "data-qa",     "data-cy"};

// Counts and numbers of items change while the element stays the same.
std::string WithoutDigits(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!IsDigit(c)) {
      out += c;
    } else if (!out.ends_with('#')) {
      out += '#';
    }
  }
  return out;
}

std::string SignedText(std::string_view text, std::span<const std::string> typed) {
  const std::string folded = WithoutTyped(typed, FoldSpaces(text));
  return WithoutDigits(Utf8Prefix(folded, kMaxSignedText));
}

std::string QuotedWords(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string_view AttributeOf(const Fingerprint& element, std::string_view name) {
  const auto found = element.attributes.find(std::string(name));
  return found == element.attributes.end() ? std::string_view() : found->second;
}

std::string_view TestIdOf(const Fingerprint& element) {
  for (const std::string_view name : kTestIds) {
    if (const std::string_view id = AttributeOf(element, name); !id.empty()) return id;
  }
  return {};
}

// What names it, by what, the best first.
std::string NamedElement(const Fingerprint& element, std::span<const std::string> typed) {
  const std::string& lead = element.role.empty() ? element.tag : element.role;
  const struct {
    std::string_view before;
    std::string_view text;
  } names[] = {{"", element.name},
               {" label", element.label},
               {" placeholder", AttributeOf(element, "placeholder")},
               {" name", AttributeOf(element, "name")},
               {" text", element.text}};
  for (const auto& [before, text] : names) {
    const std::string words = SignedText(text, typed);
    if (!words.empty()) return fmt::format("{}{} {}", lead, before, QuotedWords(words));
  }
  const std::string around = SignedText(element.landmark, typed);
  return around.empty() ? lead : fmt::format("{} {}", around, lead);
}

// Without an element what the author of the action wrote is all there is.
std::string TargetSignature(const model::Target& target, std::span<const std::string> typed) {
  if (target.point) return "point";
  const std::vector<model::NamedSelector> all = target.Selectors();
  return all.empty() ? "ref" : WithoutTyped(typed, all.front().parsed.ToString());
}

std::string SelectorSignature(const SignedAction& action) {
  const model::ActionSpec& spec = action.spec;
  std::string out;
  if (action.element != nullptr) {
    out = ElementSignature(*action.element, action.typed);
  } else if (spec.target) {
    out = TargetSignature(*spec.target, action.typed);
  }
  if (spec.drag_to) out += " -> " + TargetSignature(*spec.drag_to, action.typed);
  return out;
}

std::string_view TypeSignature(ActionType type) {
  return model::ActionName(type == ActionType::kFill ? ActionType::kType : type);
}

std::string_view TextSignature(const model::ActionSpec& spec) {
  if (!spec.text) return {};
  return spec.text->is_secret() ? "secret" : "*";
}

// A character that is typed, rather than a key that does something.
bool IsTypedKey(const model::ActionSpec& spec) {
  const model::ModifierSet others = spec.modifiers - model::ModifierSet{model::Modifier::kShift};
  return others.empty() && Utf8Length(*spec.key) == 1;
}

// Keys and the buttons of a mouse, with what is held down meanwhile.
std::string KeySignature(const model::ActionSpec& spec) {
  std::string key;
  if (spec.key) {
    key = IsTypedKey(spec) ? "*" : *spec.key;
  } else if (spec.button && *spec.button != model::MouseButton::kLeft) {
    key = NameIn(model::kMouseButtons, *spec.button);
  }
  if (key == "*") return key;
  std::string out;
  for (const auto& [modifier, name] : model::kModifiers) {
    if (spec.modifiers.Contains(modifier)) out += (out.empty() ? "" : "+") + std::string(name);
  }
  return out.empty() || key.empty() ? out + key : out + "+" + key;
}

}  // namespace

std::string ElementSignature(const Fingerprint& element, std::span<const std::string> typed) {
  const std::string id = SignedText(TestIdOf(element), typed);
  std::string out = id.empty() ? NamedElement(element, typed) : "testid " + QuotedWords(id);
  if (!element.frame.empty()) out += " in " + PagePattern(element.frame, typed);
  return out;
}

std::string SignatureOf(const SignedAction& action) {
  const model::ActionSpec& spec = action.spec;
  json::object out;
  const auto put = [&out](std::string_view key, std::string_view value) {
    if (!value.empty()) out[key] = value;
  };
  put("key", KeySignature(spec));
  put("selector", SelectorSignature(action));
  put("text", TextSignature(spec));
  put("type", TypeSignature(spec.type));
  put("url", spec.url ? PagePattern(*spec.url, action.typed) : "");
  return json::serialize(out);
}

std::uint64_t SymbolOf(std::string_view signature) {
  const Sha256Digest digest = Sha256Of(signature);
  std::uint64_t symbol = 0;
  for (std::size_t at = 0; at < sizeof symbol; ++at) symbol = symbol << 8 | digest[at];
  return symbol == 0 ? 1 : symbol;
}

}  // namespace falconer::predict
