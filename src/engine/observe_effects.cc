// Observations of what the action brought about: traffic, files, cookies, console, errors, state.

#include <set>
#include <utility>

#include "engine/observe.h"

namespace falconer::engine {
namespace {

using model::NetworkEvent;
using model::NetworkEventKind;

// A record of an observation stays readable; what is left out is counted.
constexpr std::size_t kMostListed = 32;

struct TabEvent {
  std::shared_ptr<browser::Tab> tab;
  NetworkEvent event;
};

struct Traffic {
  std::vector<TabEvent> answers;  // and requests that got none
  std::size_t dropped = 0;
};

bool Agrees(const model::ExchangeFilter& filter, const NetworkEvent& event) {
  return (filter.method.empty() || filter.method == event.method) && filter.url.Matches(event.url);
}

// An answer to a question from before the action is not this action's.
std::set<std::string, std::less<>> AskedIn(const std::vector<NetworkEvent>& events) {
  std::set<std::string, std::less<>> asked;
  for (const NetworkEvent& event : events) {
    if (event.kind == NetworkEventKind::kRequest) asked.insert(event.request_id);
  }
  return asked;
}

void AddAnswers(Traffic& traffic, const std::shared_ptr<browser::Tab>& tab, std::uint64_t since,
                const model::ExchangeFilter& filter) {
  const std::vector<NetworkEvent> events = tab->network().EventsSince(since);
  const auto asked = AskedIn(events);
  for (const NetworkEvent& event : events) {
    const bool is_answer = event.kind != NetworkEventKind::kRequest;
    if (!is_answer || !asked.contains(event.request_id) || !Agrees(filter, event)) continue;
    if (traffic.answers.size() < kMostListed) {
      traffic.answers.push_back({tab, event});
    } else {
      ++traffic.dropped;
    }
  }
}

// What this action asked the network for, in all tabs, as far as the rule is about it.
Traffic TrafficOf(const ObserveScope& scope, const model::ExchangeFilter& filter) {
  Traffic traffic;
  for (const auto& tab : scope.session.tabs().all()) {
    const std::uint64_t since = scope.facts.MarksOf(tab->id()).network;
    traffic.dropped += tab->network().Summary(since).dropped;
    AddAnswers(traffic, tab, since, filter);
  }
  return traffic;
}

json::object ExchangeJson(const NetworkEvent& event) {
  return {{"url", std::string_view(event.url)},
          {"method", std::string_view(event.method)},
          {"status", event.status}};
}

const model::ExchangeFilter& FilterOf(const model::VerificationRule& rule) {
  if (const auto* field = std::get_if<model::JsonFieldRule>(&rule.payload)) return field->filter;
  return std::get<model::NetworkStatusRule>(rule.payload).filter;
}

Task<json::object> BodyJson(CallContext ctx, const model::JsonFieldRule* rule, TabEvent answer) {
  json::object seen = ExchangeJson(answer.event);
  if (answer.event.silent_failure) seen["silent_failure"] = true;
  const auto body = co_await answer.tab->network().ReadBody(ctx, answer.event.request_id);
  if (!body || body->is_truncated) {
    seen["body_state"] = "missing";
    co_return seen;
  }
  const auto document = ParseJson(body->bytes);
  seen["body_state"] = document ? "json" : "not_json";
  if (!document) co_return seen;
  if (const json::value* value = rule->pointer.Find(*document)) seen["value"] = *value;
  co_return seen;
}

json::array ErrorTexts(const model::StructuredState* state) {
  json::array texts;
  if (state == nullptr) return texts;
  for (const model::ErrorState& error : state->errors)
    texts.emplace_back(std::string_view(error.text));
  return texts;
}

Error NoState() {
  return {ErrorCode::kKernelError, "the state of the page was not read"};
}

Result<json::value> BeforeAndAfter(const ActionFacts& facts,
                                   std::string (*read)(const model::StructuredState&)) {
  if (facts.before == nullptr || facts.after == nullptr) return Fail(NoState());
  return json::object{{"before", read(*facts.before)}, {"after", read(*facts.after)}};
}

// The state's content without the single values of the page, such as address and focus.
std::string DomHash(const model::StructuredState& state) {
  using enum model::Section;
  std::string hashes;
  for (const model::Section section : {kFrames, kElements, kTexts, kForms, kErrors})
    hashes += state.hashes[std::to_underlying(section)];
  return hashes;
}

Result<json::value> VisibleErrors(const ObserveScope& scope) {
  if (scope.facts.after == nullptr) return Fail(NoState());
  return json::object{{"errors", ErrorTexts(scope.facts.after)}};
}

Result<json::value> NewErrors(const ObserveScope& scope) {
  if (scope.facts.before == nullptr || scope.facts.after == nullptr) return Fail(NoState());
  return json::object{{"before", ErrorTexts(scope.facts.before)},
                      {"after", ErrorTexts(scope.facts.after)}};
}

Result<json::value> OpenDialog(const ObserveScope& scope) {
  return json::object{{"open", !scope.tab->dialogs().NoneOpen().has_value()}};
}

model::NetworkSummary SummaryOf(const ObserveScope& scope) {
  model::NetworkSummary sum;
  for (const auto& tab : scope.session.tabs().all()) {
    const auto one = tab->network().Summary(scope.facts.MarksOf(tab->id()).network);
    sum.failed += one.failed + one.client_errors + one.server_errors;
    sum.silent_failures += one.silent_failures;
    sum.dropped += one.dropped;
  }
  return sum;
}

Result<json::value> FailedRequests(const ObserveScope& scope) {
  const auto sum = SummaryOf(scope);
  return json::object{{"failed", sum.failed}, {"dropped", sum.dropped}};
}

Result<json::value> SilentFailures(const ObserveScope& scope) {
  const auto sum = SummaryOf(scope);
  return json::object{{"silent_failures", sum.silent_failures}, {"dropped", sum.dropped}};
}

Result<json::value> UrlBeforeAndAfter(const ObserveScope& scope) {
  return BeforeAndAfter(scope.facts, [](const model::StructuredState& state) { return state.url; });
}

Result<json::value> DomBeforeAndAfter(const ObserveScope& scope) {
  return BeforeAndAfter(scope.facts, DomHash);
}

struct InvariantRow {
  model::Invariant name;
  Result<json::value> (*observe)(const ObserveScope&);
};

constexpr InvariantRow kInvariants[] = {
    {model::Invariant::kNoVisibleErrors, VisibleErrors},
    {model::Invariant::kNoNewErrors, NewErrors},
    {model::Invariant::kNoDialogOpen, OpenDialog},
    {model::Invariant::kNoFailedRequests, FailedRequests},
    {model::Invariant::kNoSilentFailures, SilentFailures},
    {model::Invariant::kUrlUnchanged, UrlBeforeAndAfter},
    {model::Invariant::kDomUnchanged, DomBeforeAndAfter},
};

}  // namespace

Observation ObserveNetwork(CallContext, const ObserveScope* scope) {
  const Traffic traffic = TrafficOf(*scope, FilterOf(scope->rule));
  json::array responses;
  for (const TabEvent& answer : traffic.answers) responses.push_back(ExchangeJson(answer.event));
  co_return json::object{{"responses", std::move(responses)}, {"dropped", traffic.dropped}};
}

Observation ObserveBodies(CallContext ctx, const ObserveScope* scope) {
  const auto* rule = &std::get<model::JsonFieldRule>(scope->rule.payload);
  // Whether an answer is a silent failure is known once its body has been judged.
  for (const auto& tab : scope->session.tabs().all())
    CO_TRY(co_await tab->network().Settled(ctx, scope->facts.MarksOf(tab->id()).network));
  Traffic traffic = TrafficOf(*scope, rule->filter);
  json::array responses;
  for (TabEvent& answer : traffic.answers)
    responses.push_back(co_await BodyJson(ctx, rule, std::move(answer)));
  co_return json::object{{"responses", std::move(responses)}, {"dropped", traffic.dropped}};
}

Observation ObserveFiles(CallContext, const ObserveScope* scope) {
  json::array artifacts;
  for (const model::ResultArtifact& file : scope->facts.artifacts) {
    artifacts.push_back(json::object{{"artifact_id", std::string_view(file.artifact_id)},
                                     {"name", std::string_view(file.name)},
                                     {"bytes", file.bytes},
                                     {"mime", std::string_view(file.mime)},
                                     {"sha256", std::string_view(file.sha256)}});
  }
  co_return json::object{{"artifacts", std::move(artifacts)}};
}

Observation ObserveCookies(CallContext ctx, const ObserveScope* scope) {
  const std::string& name = std::get<model::CookieRule>(scope->rule.payload).name;
  CO_TRY_ASSIGN(const auto cookies, co_await scope->session.storage().Cookies(std::move(ctx)));
  json::array list;
  for (const browser::Cookie& cookie : cookies) {
    if (cookie.name != name) continue;
    list.push_back(json::object{{"name", std::string_view(cookie.name)},
                                {"domain", std::string_view(cookie.domain)},
                                {"value", std::string_view(cookie.value)}});
  }
  co_return json::object{{"cookies", std::move(list)}};
}

Observation ObserveConsole(CallContext, const ObserveScope* scope) {
  json::array messages;
  std::size_t dropped = 0;
  for (const auto& tab : scope->session.tabs().all()) {
    const std::uint64_t since = scope->facts.MarksOf(tab->id()).console;
    dropped += tab->console().DroppedSince(since);
    for (const auto& entry : tab->console().EntriesSince(since)) {
      const bool fits = messages.size() < kMostListed;
      dropped += fits ? 0 : 1;
      if (!fits) continue;
      messages.push_back(json::object{{"level", std::string_view(entry.level)},
                                      {"message", std::string_view(entry.message)}});
    }
  }
  co_return json::object{{"messages", std::move(messages)}, {"dropped", dropped}};
}

Observation ObserveErrors(CallContext, const ObserveScope* scope) {
  co_return NewErrors(*scope);
}

Observation ObserveInvariant(CallContext, const ObserveScope* scope) {
  const auto name = std::get<model::InvariantRule>(scope->rule.payload).name;
  co_return kInvariants[std::to_underlying(name)].observe(*scope);
}

Observation ObserveStateHash(CallContext, const ObserveScope* scope) {
  if (scope->facts.after == nullptr) co_return Fail(NoState());
  co_return json::object{{"hash_after", std::string_view(scope->facts.after->state_id)}};
}

}  // namespace falconer::engine
