#include "predict/workflows/step_guards.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "model/contract/guards.h"
#include "model/url.h"
#include "predict/signature.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kAnyQuery = R"(\?**)";

std::vector<std::string> PathParts(std::string_view address) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = address.find('/');
    parts.emplace_back(address.substr(0, end));
    if (end == address.npos) return parts;
    address.remove_prefix(end + 1);
  }
}

// Scheme, nothing and host come before the path.
constexpr std::size_t kPartsBeforePath = 3;

std::string_view WithoutQuery(std::string_view address) {
  const std::size_t mark = std::min(address.find('?'), address.find(R"(\?)"));
  address = address.substr(0, mark);
  return address.ends_with("**") ? address.substr(0, address.size() - 2) : address;
}

bool IsGlob(std::string_view address) {
  return address.ends_with("**");
}

json::array Rules(std::string_view severity, const std::string& glob) {
  return {{{"rule_type", "url_pattern"},
           {"severity", severity},
           {"payload", {{"pattern", glob}, {"mode", "glob"}}}}};
}

// A literal of unknown length is guarded like a secret: that something is there.
model::DerivedGuards DerivedFor(model::ActionSpec spec) {
  if (spec.text && !spec.text->is_secret() && HasParameter(spec.text->value)) {
    spec.text->source = model::TextInput::Source::kSecret;
    spec.text->value = "value";
  }
  return model::DeriveGuards({.action_spec = std::move(spec)});
}

void PutDerived(json::object& contract, const model::ActionSpec& spec) {
  const model::DerivedGuards guards = DerivedFor(spec);
  json::array waits;
  for (const model::WaitCondition& wait : guards.waits) waits.emplace_back(wait.ToJson());
  if (!waits.empty()) contract["wait_conditions"] = std::move(waits);
  if (!guards.rules.empty()) contract["verification_rules"] = model::RulesJson(guards.rules);
}

bool IsOpening(model::ActionType type) {
  return type == model::ActionType::kNavigate || type == model::ActionType::kNewTab;
}

// Where an address leads is the site's to say: it may send visitors on.
void PutOpening(json::object& contract, const model::ActionSpec& spec,
                const std::string& leads_to) {
  model::ActionSpec blank = spec;
  blank.type = model::ActionType::kNavigate;
  blank.url = model::kBlankUrl;
  PutDerived(contract, blank);
  if (!leads_to.empty()) contract["verification_rules"] = Rules("soft", leads_to);
}

}  // namespace

std::string AddressGlob(std::string_view url, std::span<const std::string> typed) {
  const std::string pattern = PagePattern(url, typed);
  const std::size_t mark = pattern.find('?');
  const std::string path = pattern.substr(0, mark);
  if (mark != pattern.npos) return path + std::string(kAnyQuery);
  return !path.empty() && url.contains('#') ? path + "**" : path;
}

std::string CommonAddress(std::string_view a, std::string_view b) {
  if (a == b) return std::string(a);
  const std::string_view plain_a = WithoutQuery(a);
  const std::string_view plain_b = WithoutQuery(b);
  std::vector<std::string> one = PathParts(plain_a);
  const std::vector<std::string> other = PathParts(plain_b);
  if (one.size() != other.size() || one.size() <= kPartsBeforePath) return "";
  int differing = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] == other[i]) continue;
    if (i < kPartsBeforePath) return "";
    ++differing;
    one[i] = "*";
  }
  if (differing > 1) return "";
  const bool asks_the_same = a.substr(plain_a.size()) == b.substr(plain_b.size());
  std::string_view rest = asks_the_same ? a.substr(plain_a.size()) : "";
  if (!asks_the_same && (IsGlob(a) || IsGlob(b))) rest = "**";
  return fmt::format("{}{}", fmt::join(one, "/"), rest);
}

std::optional<KindOfAddress> SameKindOfAddress(std::string_view a, std::string_view b) {
  std::string common = a == b ? "" : CommonAddress(a, b);
  const std::vector<std::string> parts = PathParts(WithoutQuery(common));
  const std::vector<std::string> one = PathParts(WithoutQuery(a));
  const std::vector<std::string> other = PathParts(WithoutQuery(b));
  std::string kind;
  for (std::size_t i = kPartsBeforePath; i < parts.size() && i < one.size(); ++i) {
    const bool differs = one[i] != other[i];
    if (differs && !kind.empty() && !one[i].empty() && !other[i].empty())
      return KindOfAddress{.common = std::move(common), .kind = std::move(kind)};
    if (!differs && parts[i] != "*") kind = parts[i];
  }
  return std::nullopt;
}

bool HasGuard(const json::object& contract) {
  return std::ranges::any_of(kGuardMembers, [&](std::string_view key) {
    const json::value* list = contract.if_contains(key);
    return list != nullptr && list->is_array() && !list->get_array().empty();
  });
}

void PutGuards(json::object& contract, const std::string& leads_to) {
  for (const std::string_view key : kGuardMembers) contract.erase(key);
  const json::value* action = contract.if_contains("action_spec");
  if (action == nullptr || !action->is_object()) return;
  JsonReader reader(action->get_object());
  const model::ActionSpec spec = model::ReadActionSpec(reader);
  if (IsOpening(spec.type)) return PutOpening(contract, spec, leads_to);
  if (leads_to.empty()) return PutDerived(contract, spec);
  contract["wait_conditions"] =
      json::array{{{"kind", "url"}, {"payload", {{"url_pattern", leads_to}, {"mode", "glob"}}}}};
  contract["expected_postconditions"] = Rules("hard", leads_to);
}

}  // namespace falconer::predict
