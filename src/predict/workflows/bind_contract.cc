#include "predict/workflows/bind_contract.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/percent.h"
#include "model/url.h"
#include "predict/workflows/bind_selector.h"

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;

enum class BindAs : std::uint8_t {
  kSelector,
  kText,     // as it is, or what the "mode" beside it asks for
  kPattern,  // only where a "mode" beside it says what it is
  kRegex,
  kAddress,
};

struct BindRow {
  std::string_view key;
  BindAs as;
};

// Nowhere else may a parameter stand: no value becomes a script, a key or a name of the contract's.
constexpr BindRow kBindRows[] = {
    {"selector", BindAs::kSelector},   {"selector_candidates", BindAs::kSelector},
    {"candidates", BindAs::kSelector}, {"text", BindAs::kText},
    {"secret", BindAs::kText},         {"field", BindAs::kText},
    {"label", BindAs::kText},          {"value", BindAs::kText},
    {"path", BindAs::kText},           {"artifact_id", BindAs::kText},
    {"prompt_text", BindAs::kText},    {"expected", BindAs::kText},
    {"equals", BindAs::kText},         {"pattern", BindAs::kPattern},
    {"url_pattern", BindAs::kPattern}, {"name_pattern", BindAs::kPattern},
    {"matches", BindAs::kRegex},       {"url", BindAs::kAddress},
};

const BindRow* RowOf(std::string_view key) {
  const auto* found = std::ranges::find(kBindRows, key, &BindRow::key);
  return found == std::end(kBindRows) ? nullptr : found;
}

std::unexpected<Error> RefuseField(std::string_view path, std::string_view why) {
  return std::unexpected(
      Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", path, why), {{"field", path}}));
}

std::string GlobLiteral(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '*' || c == '?' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// Dots alone are a way to another page.
bool IsDots(std::string_view value) {
  return !value.empty() && value.find_first_not_of('.') == value.npos;
}

// What the text in an object is, when another member says how it is compared.
std::string_view ModeIn(const json::object& object) {
  if (const json::value* mode = object.if_contains("mode"); mode != nullptr && mode->is_string())
    return mode->get_string();
  const json::value* op = object.if_contains("op");
  const bool matches = op != nullptr && op->is_string() && op->get_string() == "matches";
  return matches ? "regex" : "";
}

class ContractBinder {
 public:
  ContractBinder(const ValueOf& value_of, LostSelectors lost) : value_of_(value_of), lost_(lost) {}

  Result<void> Bind(json::object& object, const std::string& path) {
    const std::string mode(ModeIn(object));
    for (auto& member : object) {
      const std::string here =
          path.empty() ? std::string(member.key()) : fmt::format("{}.{}", path, member.key_c_str());
      TRY(BindMember(member.value(), Place{RowOf(member.key()), mode, here}));
    }
    return DropLost(object);
  }

 private:
  struct Place {
    const BindRow* row;
    std::string mode;
    std::string path;
  };

  Result<void> BindMember(json::value& value, const Place& place) {
    if (json::object* object = value.if_object()) return Bind(*object, place.path);
    if (json::array* array = value.if_array()) return BindArray(*array, place);
    json::string* text = value.if_string();
    if (text == nullptr) return {};
    TRY_ASSIGN(const std::string bound, BindText(*text, place));
    *text = bound;
    return {};
  }

  Result<void> BindArray(json::array& array, const Place& place) {
    for (std::size_t i = 0; i < array.size(); ++i)
      TRY(BindMember(array[i], {place.row, place.mode, fmt::format("{}[{}]", place.path, i)}));
    return {};
  }

  Result<std::string> BindText(std::string_view text, const Place& place) {
    if (place.row != nullptr && place.row->as == BindAs::kSelector) return BindOne(text, place);
    const TemplateParts parts = TemplateOf(text);
    if (!HasParameter(text)) return Expand(parts, value_of_);
    if (place.row == nullptr) return RefuseField(place.path, "takes no parameter");
    if (place.row->as == BindAs::kAddress) return BindAddress(parts, place);
    return BindPattern(text, parts, place);
  }

  Result<std::string> BindPattern(std::string_view text, const TemplateParts& parts,
                                  const Place& place) {
    const bool needs_mode = place.row->as == BindAs::kPattern && place.mode.empty();
    if (needs_mode) return RefuseField(place.path, "a pattern with a parameter needs a mode");
    const bool is_regex = place.row->as == BindAs::kRegex || place.mode == "regex";
    const bool is_glob = !is_regex && place.mode == "glob";
    if ((is_regex || is_glob) && HasEscapedParameter(text))
      return RefuseField(place.path, "a parameter stands behind a backslash");
    return Expand(parts, [&](const std::string& name) -> Result<std::string> {
      TRY_ASSIGN(std::string value, value_of_(name));
      if (is_regex) return RegexLiteral(value);
      return is_glob ? GlobLiteral(value) : value;
    });
  }

  // A whole address may be a value, and what stands behind its host.
  Result<std::string> BindAddress(const TemplateParts& parts, const Place& place) {
    if (parts.size() == 1) return value_of_(parts[0].text);
    model::UrlParts known;
    if (parts[0].kind == Kind::kLiteral) known = model::SplitUrl(parts[0].text);
    const bool has_host = !known.host.empty() && !known.path.empty();
    if (!has_host) return RefuseField(place.path, "a parameter stands behind the host only");
    return Expand(parts, [&](const std::string& name) -> Result<std::string> {
      TRY_ASSIGN(const std::string value, value_of_(name));
      if (IsDots(value))
        return RefuseField(place.path, fmt::format("parameter {} leads to another page", name));
      return PercentEncoded(value);
    });
  }

  // A selector that is lost becomes empty; DropLost takes it away.
  Result<std::string> BindOne(std::string_view text, const Place& place) {
    Result<std::string> bound = BindSelector(text, value_of_);
    if (bound) return bound;
    const bool is_lost = bound.error().code() == ErrorCode::kInvalidSelector;
    if (!is_lost || lost_ == LostSelectors::kRefuse)
      return Fail(std::move(bound).error().In(place.path));
    last_loss_ = std::move(bound).error().In(place.path);
    return std::string();
  }

  Result<void> DropLost(json::object& object) {
    for (const std::string_view key : {"selector_candidates", "candidates"}) {
      json::value* list = object.if_contains(key);
      if (list == nullptr || !list->is_array()) continue;
      json::array& all = list->get_array();
      const auto is_lost = [](const json::value& one) { return one == json::value(""); };
      all.erase(std::remove_if(all.begin(), all.end(), is_lost), all.end());
      PromoteCandidate(object, key);
      if (list = object.if_contains(key); list != nullptr && list->get_array().empty())
        object.erase(key);
    }
    const json::value* first = object.if_contains("selector");
    if (first == nullptr || *first != json::value("") || !last_loss_) return {};
    return Fail(Error(*last_loss_));
  }

  static void PromoteCandidate(json::object& object, std::string_view key) {
    json::value* first = object.if_contains("selector");
    json::array& all = object.at(key).as_array();
    if (first == nullptr || *first != json::value("") || all.empty()) return;
    *first = all.front();
    all.erase(all.begin());
  }

  const ValueOf& value_of_;
  LostSelectors lost_;
  std::optional<Error> last_loss_;
};

}  // namespace

Result<json::object> BindContract(const json::object& contract, const ValueOf& value_of,
                                  LostSelectors lost) {
  json::object bound = contract;
  TRY(ContractBinder(value_of, lost).Bind(bound, ""));
  return bound;
}

}  // namespace falconer::predict
