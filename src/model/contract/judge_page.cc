// Verdicts about what the page shows.

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "model/contract/json_compare.h"
#include "model/contract/judge_finding.h"

namespace falconer::model {
namespace {

bool Agrees(const CountCheck& check, std::int64_t n) {
  switch (check.op) {
    case CountOp::kEqual:
      return n == check.n;
    case CountOp::kAtLeast:
      return n >= check.n;
    case CountOp::kAtMost:
      return n <= check.n;
  }
  std::unreachable();
}

Finding CountFinding(const CountCheck& check, std::int64_t n) {
  return PassedIf(Agrees(check, n), fmt::format("{} elements, expected {} {}", n,
                                                NameIn(kCountOps, check.op), check.n));
}

// How many of the matching elements are in the state.
std::optional<std::int64_t> InState(const json::object& seen, ElementCondition state,
                                    std::int64_t matches) {
  if (state == ElementCondition::kAttached) return matches;
  const json::value* states = seen.if_contains("states");
  if (states == nullptr || !states->is_object()) return std::nullopt;
  if (state != ElementCondition::kHidden) {
    return CountAt(states->get_object(), NameIn(kElementConditions, state));
  }
  const auto visible = CountAt(states->get_object(), "visible");
  return visible ? std::optional(matches - *visible) : std::nullopt;
}

// The states that hold when there is no such element.
bool IsNegative(ElementCondition state) {
  return state == ElementCondition::kDetached || state == ElementCondition::kHidden;
}

// White space as a reader sees it: runs are one space, none at the ends. U+00A0 is a space too.
std::string Collapse(std::string_view text) {
  constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
  std::string out;
  bool is_pending = false;
  while (!text.empty()) {
    const bool is_wide = text.starts_with(kNoBreakSpace);
    if (is_wide || IsSpace(text[0])) {
      is_pending = !out.empty();
      text.remove_prefix(is_wide ? kNoBreakSpace.size() : 1);
      continue;
    }
    if (is_pending) out += ' ';
    is_pending = false;
    out += text[0];
    text.remove_prefix(1);
  }
  return out;
}

bool TextHolds(const TextRule& rule, std::string_view text) {
  const bool normalizes = rule.spaces == Spaces::kNormalized;
  const std::string subject = normalizes ? Collapse(text) : std::string(text);
  if (rule.expected.mode() == PatternMode::kRegex) return rule.expected.Matches(subject);
  const std::string wanted =
      normalizes ? Collapse(rule.expected.text()) : std::string(rule.expected.text());
  const bool is_whole = rule.expected.mode() == PatternMode::kExact;
  return is_whole ? subject == wanted : subject.contains(wanted);
}

enum class Held : std::uint8_t { kYes, kNo, kUnknown };

bool IsWithheld(const json::value& value) {
  const json::object* object = value.if_object();
  return object != nullptr && object->contains("withheld");
}

// Whoever observed compared by himself: the value is a secret's.
Held SecretHolds(const json::value& value) {
  const json::object* object = value.if_object();
  const json::value* agrees = object == nullptr ? nullptr : object->if_contains("agrees");
  if (agrees == nullptr || !agrees->is_bool()) return Held::kUnknown;
  return agrees->get_bool() ? Held::kYes : Held::kNo;
}

Held ValueHolds(const ValueCheck& check, const json::value& value) {
  if (SecretOf(check)) return SecretHolds(value);
  if (IsWithheld(value)) return Held::kUnknown;
  if (check.absent) return value.is_null() ? Held::kYes : Held::kNo;
  if (check.expected) return JsonEquals(value, *check.expected) ? Held::kYes : Held::kNo;
  const std::optional<std::string> text = ScalarText(value);
  return text && check.matches && check.matches->Matches(*text) ? Held::kYes : Held::kNo;
}

// How many elements matched, and what was read from each of them.
struct Readings {
  std::int64_t matches = 0;
  const json::array* list = nullptr;

  bool is_cut_off() const { return static_cast<std::int64_t>(list->size()) < matches; }
};

std::expected<Readings, Finding> ReadingsIn(const json::object& seen, std::string_view key,
                                            Strictness strictness) {
  const auto matches = CountAt(seen, "matches");
  if (!matches) return std::unexpected(Lacks("matches"));
  const json::array* list = ListAt(seen, key);
  if (list == nullptr) return std::unexpected(Lacks(key));
  if (strictness == Strictness::kStrict && *matches > 1) {
    return std::unexpected(Failed(fmt::format("{} elements match, expected one", *matches)));
  }
  return Readings{*matches, list};
}

Finding AnyHolds(const Readings& readings, const std::function<Held(const json::value&)>& holds) {
  bool is_unknown = readings.is_cut_off();
  for (const json::value& one : *readings.list) {
    const Held held = holds(one);
    if (held == Held::kYes) return Passed();
    is_unknown = is_unknown || held == Held::kUnknown;
  }
  if (is_unknown) return Unknown("not every value could be read");
  if (readings.matches == 0) return Failed("no element matches");
  return Failed(fmt::format("none of {} elements has it", readings.matches));
}

bool IsOfDomain(std::string_view wanted, std::string_view domain) {
  if (wanted.starts_with('.')) wanted.remove_prefix(1);
  if (domain.starts_with('.')) domain.remove_prefix(1);
  return wanted.empty() || IsSameWord(wanted, domain);
}

// A cookie's value is as good as a password: what is recorded is only whether it agreed.
struct CookieView {
  Held held = Held::kUnknown;
  json::object recorded;
};

CookieView ViewCookie(const CookieRule& rule, const json::object& cookie) {
  CookieView view{.recorded = {{"name", rule.name}}};
  if (const auto domain = TextAt(cookie, "domain")) view.recorded["domain"] = *domain;
  if (const json::value* value = cookie.if_contains("value")) {
    view.held = ValueHolds(rule.check, *value);
  } else if (const json::value* agrees = cookie.if_contains("agrees");
             agrees && agrees->is_bool()) {
    view.held = agrees->get_bool() ? Held::kYes : Held::kNo;
  }
  if (view.held != Held::kUnknown) view.recorded["agrees"] = view.held == Held::kYes;
  return view;
}

std::vector<CookieView> CookiesOf(const CookieRule& rule, const json::array& list) {
  std::vector<CookieView> out;
  for (const json::value& one : list) {
    const json::object* cookie = one.if_object();
    if (cookie == nullptr || TextAt(*cookie, "name") != rule.name) continue;
    if (IsOfDomain(rule.domain, TextAt(*cookie, "domain").value_or(""))) {
      out.push_back(ViewCookie(rule, *cookie));
    }
  }
  return out;
}

Finding CookieFinding(const CookieRule& rule, const std::vector<CookieView>& cookies) {
  if (rule.check.absent) return PassedIf(cookies.empty(), "the cookie is there");
  if (cookies.empty()) return Failed("there is no such cookie");
  const auto has = [&cookies](Held held) {
    return std::ranges::find(cookies, held, &CookieView::held) != cookies.end();
  };
  if (has(Held::kYes)) return Passed();
  const bool is_unknown = has(Held::kUnknown);
  return is_unknown ? Unknown("the value could not be read") : Failed("the value is another one");
}

}  // namespace

Finding JudgeElement(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<ElementRule>(rule.payload);
  const auto matches = CountAt(seen, "matches");
  if (!matches) return Lacks("matches");
  if (wanted.target.strictness == Strictness::kStrict && *matches > 1) {
    return Failed(fmt::format("{} elements match, expected one", *matches));
  }
  if (wanted.state == ElementCondition::kDetached) {
    return PassedIf(*matches == 0, fmt::format("{} elements match, expected none", *matches));
  }
  const auto in_state = InState(seen, wanted.state, *matches);
  const std::string_view name = NameIn(kElementConditions, wanted.state);
  if (!in_state && *matches > 0) return Lacks(fmt::format("states.{}", name));
  if (wanted.count) return CountFinding(*wanted.count, in_state.value_or(0));
  if (IsNegative(wanted.state)) {
    return PassedIf(in_state.value_or(0) == *matches, "an element is visible");
  }
  return PassedIf(in_state.value_or(0) > 0,
                  fmt::format("of {} matching elements none is {}", *matches, name));
}

Finding JudgeText(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<TextRule>(rule.payload);
  const auto readings = ReadingsIn(seen, "texts", wanted.target.strictness);
  if (!readings) return readings.error();
  Finding found = AnyHolds(*readings, [&wanted](const json::value& text) {
    if (!text.is_string()) return Held::kUnknown;
    return TextHolds(wanted, text.get_string()) ? Held::kYes : Held::kNo;
  });
  if (!wanted.absent) return found;
  if (found.verdict == RuleVerdict::kUnknown) return found;
  return PassedIf(found.verdict == RuleVerdict::kFailed, "the text is there");
}

Finding JudgeElementValue(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<ElementValueRule>(rule.payload);
  const auto readings = ReadingsIn(seen, "values", wanted.target.strictness);
  if (!readings) return readings.error();
  return AnyHolds(*readings,
                  [&wanted](const json::value& value) { return ValueHolds(wanted.check, value); });
}

Finding JudgeCount(const VerificationRule& rule, const json::object& seen) {
  const auto matches = CountAt(seen, "matches");
  if (!matches) return Lacks("matches");
  return CountFinding(std::get<CountRule>(rule.payload).check, *matches);
}

Finding JudgeUrl(const VerificationRule& rule, const json::object& seen) {
  const auto url = TextAt(seen, "url");
  if (!url) return Lacks("url");
  return PassedIf(std::get<UrlRule>(rule.payload).url.Matches(*url), "the address is another one");
}

Finding JudgeCookie(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<CookieRule>(rule.payload);
  const json::array* fresh = ListAt(seen, "cookies");
  // On record they have a name that no scrubber takes for a secret: they hold none any more.
  const json::array* list = fresh != nullptr ? fresh : ListAt(seen, "found");
  Finding finding = Lacks("cookies");
  json::array recorded;
  if (list != nullptr) {
    const std::vector<CookieView> cookies = CookiesOf(wanted, *list);
    finding = CookieFinding(wanted, cookies);
    for (const CookieView& cookie : cookies) recorded.emplace_back(cookie.recorded);
    finding.recorded = json::object{{"found", std::move(recorded)}};
  }
  return finding;
}

}  // namespace falconer::model
