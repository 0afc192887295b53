#include "policy/rules/evaluate.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/utf8.h"
#include "policy/rules/fold_text.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kMaxSeen = 200;  // bytes of a fact that a trace shows
constexpr int kDaysPerWeek = 7;

Truth TruthOf(bool holds) {
  return holds ? Truth::kTrue : Truth::kFalse;
}

Truth Opposite(Truth truth) {
  return static_cast<Truth>(std::to_underlying(Truth::kTrue) - std::to_underlying(truth));
}

bool HasDay(std::uint8_t days, int weekday) {
  return days == 0 || (days >> weekday & 1) != 0;
}

bool HoldsAt(const TimeQuestion& q, LocalTime now) {
  const bool is_late_enough = !q.after || now.minute >= *q.after;
  const bool is_early_enough = !q.before || now.minute < *q.before;
  const bool crosses_midnight = q.after && q.before && *q.after >= *q.before;
  if (!crosses_midnight) return is_late_enough && is_early_enough && HasDay(q.days, now.weekday);
  // After midnight the window still belongs to the day it began on.
  const int yesterday = (now.weekday + kDaysPerWeek - 1) % kDaysPerWeek;
  if (is_late_enough) return HasDay(q.days, now.weekday);
  return is_early_enough && HasDay(q.days, yesterday);
}

bool MatchesAny(const std::vector<HostPattern>& patterns, const HostView& view) {
  return std::ranges::any_of(
      patterns, [&](const HostPattern& pattern) { return pattern.Matches(view.host, view.port); });
}

bool IsAnyOf(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

// What has no host is on no list of hosts. Whether it is elsewhere nobody can say of the place it
// is about; who comes from nowhere comes from nowhere else.
Truth WithoutHost(const HostQuestion& q) {
  const bool asks_only_elsewhere = q.in.empty() && q.matches.empty();
  return asks_only_elsewhere && q.fact == HostFact::kDomain ? Truth::kUnknown : Truth::kFalse;
}

struct QuestionJudge {
  FactView& view;

  Truth operator()(std::monostate) const { return Truth::kTrue; }
  Truth operator()(const CapabilityQuestion& q) const {
    return TruthOf(q.among.Contains(view.capability()));
  }
  Truth operator()(const ActionQuestion& q) const {
    const auto& action = view.facts().action;
    return TruthOf(action && (q.among >> std::to_underlying(*action) & 1) != 0);
  }
  Truth operator()(const HostQuestion& q) const {
    const HostView& host = view.HostOf(q.fact);
    if (host.state == HostView::State::kNone) return WithoutHost(q);
    if (host.state == HostView::State::kUnreadable) return Truth::kUnknown;
    if (!q.in.empty() && !MatchesAny(q.in, host)) return Truth::kFalse;
    if (!q.matches.empty() && !GlobMatches(q.matches, host.host.text)) return Truth::kFalse;
    return TruthOf(!MatchesAny(q.not_in, host));
  }
  Truth operator()(const TextQuestion& q) const {
    const std::optional<std::string_view> text = view.TextOf(q.fact);
    if (!text) return Truth::kFalse;
    if (!q.in.empty() && !IsAnyOf(q.in, *text)) return Truth::kFalse;
    if (!q.contains.empty() && !text->contains(q.contains)) return Truth::kFalse;
    if (!q.matches.empty() && !GlobMatches(q.matches, *text)) return Truth::kFalse;
    if (q.regex && !q.regex->Matches(*text)) return Truth::kFalse;
    return TruthOf(!IsAnyOf(q.not_in, *text));
  }
  Truth operator()(const AmountQuestion& q) const {
    const auto& amount = view.facts().amount;
    if (q.known && *q.known != amount.has_value()) return Truth::kFalse;
    if (q.known && !*q.known) return TruthOf(view.lacks_amount());
    if (q.limits.empty()) return Truth::kTrue;
    if (!amount) return view.lacks_amount() ? Truth::kUnknown : Truth::kFalse;
    if (amount->currency != q.currency) return Truth::kUnknown;
    return TruthOf(q.limits.Contain(amount->ten_thousandths));
  }
  Truth operator()(const BodyQuestion& q) const {
    const auto& request = view.facts().request;
    if (request && !request->is_body_whole) return Truth::kUnknown;
    return TruthOf(request && q.limits.Contain(static_cast<std::int64_t>(request->body_bytes)));
  }
  Truth operator()(const TimeQuestion& q) const { return TruthOf(HoldsAt(q, view.TimeIn(q.zone))); }
  Truth operator()(const RiskQuestion& q) const {
    return TruthOf((q.among >> std::to_underlying(view.facts().risk) & 1) != 0);
  }
  Truth operator()(const FieldQuestion& q) const {
    const auto& element = view.facts().element;
    return TruthOf(element && element->form && element->form->kinds.Intersects(q.among));
  }
};

std::string ClockText(LocalTime time) {
  constexpr std::string_view kDays[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  return fmt::format("{} {:02}:{:02}", kDays[time.weekday], time.minute / 60, time.minute % 60);
}

// The fact a question looks at, as text.
struct FactTeller {
  FactView& view;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const CapabilityQuestion&) const {
    return std::string(model::CapabilityName(view.capability()));
  }
  std::string operator()(const ActionQuestion&) const {
    const auto& action = view.facts().action;
    return action ? std::string(model::ActionName(*action)) : "no action";
  }
  std::string operator()(const HostQuestion& q) const {
    const HostView& host = view.HostOf(q.fact);
    if (host.state == HostView::State::kNone) return "no host";
    if (host.state == HostView::State::kUnreadable) return "a host that cannot be read";
    return fmt::format("{}:{}", host.host.text, host.port);
  }
  std::string operator()(const TextQuestion& q) const {
    const std::optional<std::string_view> text = view.TextOf(q.fact);
    if (!text) return "nothing there";
    return fmt::format("\"{}\"", Utf8Prefix(*text, kMaxSeen));
  }
  std::string operator()(const AmountQuestion&) const {
    if (view.facts().amount) return view.facts().amount->ToText();
    return view.lacks_amount() ? "a purchase of unknown amount" : "no amount";
  }
  std::string operator()(const BodyQuestion&) const {
    const auto& request = view.facts().request;
    if (!request) return "no request";
    if (!request->is_body_whole) return "a body that cannot be read whole";
    return fmt::format("{} bytes", request->body_bytes);
  }
  std::string operator()(const TimeQuestion& q) const { return ClockText(view.TimeIn(q.zone)); }
  std::string operator()(const RiskQuestion&) const {
    return std::string(NameIn(model::kRiskLevels, view.facts().risk));
  }
  std::string operator()(const FieldQuestion&) const {
    const auto& element = view.facts().element;
    if (!element || !element->form) return "no form";
    std::string names;
    for (const auto& [kind, name] : model::kFieldKinds) {
      if (!element->form->kinds.Contains(kind)) continue;
      names += names.empty() ? "" : ", ";
      names += name;
    }
    return names.empty() ? "no fields" : names;
  }
};

std::string_view CombinationName(Condition::Kind kind) {
  switch (kind) {
    case Condition::Kind::kAlways:
      return "always";
    case Condition::Kind::kAll:
      return "all";
    case Condition::Kind::kAny:
      return "any";
    case Condition::Kind::kNot:
      return "not";
    case Condition::Kind::kQuestion:
      return "question";
  }
  std::unreachable();
}

// The truth of a combination whose parts came out so.
Truth Combine(Condition::Kind kind, const std::vector<ConditionTrace>& parts) {
  if (kind == Condition::Kind::kAlways) return Truth::kTrue;
  if (kind == Condition::Kind::kNot) return Opposite(parts.front().truth);
  const auto truths = [](const ConditionTrace& part) { return part.truth; };
  return kind == Condition::Kind::kAll ? std::ranges::min_element(parts, {}, truths)->truth
                                       : std::ranges::max_element(parts, {}, truths)->truth;
}

}  // namespace

Truth Evaluate(const Condition& condition, FactView& facts) {
  switch (condition.kind) {
    case Condition::Kind::kAlways:
      return Truth::kTrue;
    case Condition::Kind::kQuestion:
      return std::visit(QuestionJudge{facts}, condition.question);
    case Condition::Kind::kNot:
      return Opposite(Evaluate(condition.children.front(), facts));
    case Condition::Kind::kAll: {
      Truth truth = Truth::kTrue;
      for (const Condition& child : condition.children) {
        truth = std::min(truth, Evaluate(child, facts));
        if (truth == Truth::kFalse) break;
      }
      return truth;
    }
    case Condition::Kind::kAny: {
      Truth truth = Truth::kFalse;
      for (const Condition& child : condition.children) {
        truth = std::max(truth, Evaluate(child, facts));
        if (truth == Truth::kTrue) break;
      }
      return truth;
    }
  }
  std::unreachable();
}

json::object ConditionTrace::ToJson() const {
  json::object out{{"path", path}, {"asked", asked}, {"truth", NameIn(kTruths, truth)}};
  if (!saw.empty()) out["saw"] = saw;
  if (children.empty()) return out;
  json::array parts;
  for (const ConditionTrace& child : children) parts.push_back(child.ToJson());
  out["children"] = std::move(parts);
  return out;
}

ConditionTrace TraceOf(const Condition& condition, FactView& facts) {
  ConditionTrace trace{.path = condition.path};
  if (condition.kind == Condition::Kind::kQuestion) {
    trace.asked = condition.Asked();
    trace.saw = std::visit(FactTeller{facts}, condition.question);
    trace.truth = std::visit(QuestionJudge{facts}, condition.question);
    return trace;
  }
  trace.asked = CombinationName(condition.kind);
  for (const Condition& child : condition.children) {
    trace.children.push_back(TraceOf(child, facts));
  }
  trace.truth = Combine(condition.kind, trace.children);
  return trace;
}

}  // namespace falconer::policy
