#include "engine/control/turn_control.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "kernel/gates/policy_notice.h"
#include "kernel/gates/risk_gate.h"
#include "model/url.h"
#include "policy/risk/field_kind.h"

namespace falconer::engine {
namespace {

using Again = RulingCase::Again;
using browser::RequestUse;
using model::ActionType;
using policy::RuleSet;

// Most rulings that a turn keeps on record one by one.
constexpr std::size_t kMostRulings = 64;

constexpr ActionType kAskedFirst[] = {ActionType::kUpload, ActionType::kDownloadTrigger,
                                      ActionType::kCustomJsRestricted, ActionType::kPurchase};

// With these held, a key is a command and types nothing.
constexpr model::ModifierSet kCommands = {model::Modifier::kControl, model::Modifier::kMeta};

struct RequestUseRow {
  RequestUse use;
  RuleSet set;
  bool is_document;
};

constexpr RequestUseRow kRequestUses[] = {
    {RequestUse::kNavigation, RuleSet::kNavigate, true},
    {RequestUse::kRedirect, RuleSet::kRedirect, true},
    {RequestUse::kFrame, RuleSet::kConnect, true},
    {RequestUse::kPopup, RuleSet::kNavigate, true},
    {RequestUse::kSubresource, RuleSet::kConnect, false},
    {RequestUse::kDownload, RuleSet::kDownload, true},
};

const RequestUseRow& RowOf(RequestUse use) {
  return *std::ranges::find(kRequestUses, use, &RequestUseRow::use);
}

// Servers that heed one of these carry out what it says.
constexpr std::array<std::string_view, 3> kMethodHeaders = {"x-http-method-override",
                                                            "x-http-method", "x-method-override"};

std::string MethodOverride(const browser::RequestFacts& request) {
  for (const std::string_view name : kMethodHeaders) {
    if (const std::string told = request.HeaderValue(name); !told.empty()) return ToUpper(told);
  }
  return "";
}

model::RequestFacts FactsOf(const browser::RequestFacts& request) {
  return {.method = request.method,
          .method_override = MethodOverride(request),
          .url = request.url,
          .content_type = request.HeaderValue("content-type"),
          .resource_type = request.resource_type,
          .body = request.body,
          .body_bytes = request.body.size(),
          .is_body_whole = request.is_body_whole};
}

// After these the page that might still send something is gone.
constexpr std::array kToAnotherPage = {ActionType::kNavigate, ActionType::kGoBack,
                                       ActionType::kGoForward, ActionType::kReload};

// A request that changes something is an action of its page; one that carries files is an upload.
std::vector<RuleSet> SetsFor(const RequestUseRow& row, const RulingCase& asked) {
  std::vector<RuleSet> sets = {row.set};
  const model::RequestFacts& request = *asked.facts.request;
  if (!browser::IsSafeMethod(request.method) || asked.has_effect())
    sets.push_back(RuleSet::kActions);
  const bool has_files = asked.risk.capabilities.Contains(model::Capability::kUpload);
  if (has_files || !request.is_body_whole) sets.push_back(RuleSet::kUpload);
  return sets;
}

bool Buys(const RulingCase& asked) {
  return asked.risk.capabilities.Contains(model::Capability::kPurchase);
}

bool AreOfOneOrigin(const std::string& a, const std::string& b) {
  const model::UrlParts first = model::SplitUrl(a);
  const model::UrlParts second = model::SplitUrl(b);
  return first.scheme == second.scheme && first.host == second.host && first.port == second.port;
}

// What a server leads to may be named by whoever sent it there: more than was approved is no
// answer.
bool IsAnswerTo(const ApprovedRequest& approved, const RulingCase& asked) {
  const policy::Risk& known = approved.grounds.risk;
  const bool does_more = !(asked.effects() - known.capabilities).empty();
  const bool costs_more = asked.risk.amount && asked.risk.amount != known.amount;
  return AreOfOneOrigin(approved.url, asked.facts.url) && !does_more && !costs_more;
}

// Each request that changes something counts; a page that a server sends on is still the same one.
TurnRates::Step StepOf(const RulingCase& asked) {
  const bool is_safe = !asked.facts.request || browser::IsSafeMethod(asked.facts.request->method);
  const bool is_hop = std::ranges::find(asked.sets, RuleSet::kRedirect) != asked.sets.end();
  return is_safe || is_hop ? TurnRates::Step::kOnce : TurnRates::Step::kEach;
}

}  // namespace

bool IsAskedFirst(ActionType action) {
  return std::ranges::find(kAskedFirst, action) != std::end(kAskedFirst);
}

policy::RiskAction ActionToJudge(const model::ActionSpec& spec, std::string question) {
  // Of a secret nobody knows what is in it.
  const bool has_line_end =
      spec.text &&
      (spec.text->is_secret() || spec.text->value.find_first_of("\r\n") != std::string::npos);
  return {.type = spec.type,
          .key = spec.key.value_or(""),
          .presses_enter = spec.type == ActionType::kType && has_line_end,
          .question = std::move(question),
          .accepts = spec.dialog && spec.dialog->accept,
          .has_modifier = spec.modifiers.Intersects(kCommands)};
}

TurnControl::TurnControl(ControlGrounds grounds, const Clock& clock)
    : grounds_(std::move(grounds)), clock_(clock), rates_(grounds_.counted) {
  CHECK(grounds_.token, "a turn is admitted by a token");
}

RulingLaw TurnControl::Law() const {
  return {.token = grounds_.token->token,
          .policy = grounds_.policy ? &grounds_.policy->policy : nullptr,
          .proof = grounds_.proof,
          .ask_from = grounds_.ask_from};
}

RulingCase TurnControl::CaseOf(RulingCase::About about, const policy::RiskInput& input) const {
  RulingCase out{.about = about,
                 .risk = policy::AssessRisk(input),
                 .facts = {.tenant = grounds_.asker.tenant.value(),
                           .agent = grounds_.asker.agent_id,
                           .agent_tier = grounds_.token->token.claims.tier}};
  out.facts.action = grounds_.action.type;
  // As exact as it is on record.
  out.facts.now = std::chrono::floor<std::chrono::milliseconds>(clock_.WallNow());
  if (grounds_.began)
    out.facts.began = std::chrono::floor<std::chrono::milliseconds>(*grounds_.began);
  out.facts.element = input.element;
  out.facts.request = input.request;
  policy::AddTo(out.facts, out.risk);
  return out;
}

Ruling TurnControl::JudgeAction(const std::string& page_url, const std::string& target_url) const {
  RulingCase asked =
      CaseOf(RulingCase::About::kAction,
             {.action = grounds_.action, .element = std::nullopt, .request = std::nullopt});
  asked.sets = {kernel::SetOf(grounds_.action.type)};
  asked.facts.url = target_url.empty() ? page_url : target_url;
  asked.facts.page_url = page_url;
  return MakeRuling(Law(), std::move(asked));
}

Ruling TurnControl::JudgeElement(model::ElementFacts element) {
  std::string page_url = std::exchange(element.page_url, "");
  if (element.form) policy::ClassifyFields(*element.form);
  RulingCase asked =
      CaseOf(RulingCase::About::kElement,
             {.action = grounds_.action, .element = std::move(element), .request = std::nullopt});
  asked.sets = {kernel::SetOf(grounds_.action.type)};
  asked.facts.url = page_url;
  asked.facts.page_url = std::move(page_url);
  Ruling ruling = MakeRuling(Law(), std::move(asked));
  due_.TakeFrom(ruling);
  return ruling;
}

Ruling TurnControl::JudgeRequest(const browser::RequestFacts& request,
                                 const ApprovedRequest* approved) const {
  const RequestUseRow& row = RowOf(request.use);
  RulingCase asked =
      CaseOf(RulingCase::About::kRequest,
             {.action = std::nullopt, .element = std::nullopt, .request = FactsOf(request)});
  asked.sets = SetsFor(row, asked);
  asked.facts.url = request.url;
  asked.facts.page_url = request.initiator_origin;
  asked.is_place = row.is_document;
  asked.again = WhyAgain(asked, approved);
  Ruling ruling = MakeRuling(Law(), std::move(asked));
  // By the same terms as the first.
  if (ruling.asked.again == Again::kSentOn) AskFor(approved->grounds, ruling);
  if (ruling.asked.again == Again::kAnswered) return ruling;
  owed_.AddTo(ruling);
  due_.AddTo(ruling);
  return ruling;
}

Again TurnControl::WhyAgain(const RulingCase& asked, const ApprovedRequest* approved) const {
  const bool is_safe = browser::IsSafeMethod(asked.facts.request->method);
  if (approved != nullptr && !is_safe) return Again::kSentOn;
  if (approved != nullptr && IsAnswerTo(*approved, asked)) return Again::kAnswered;
  if (owed_.Concerns(asked)) return Again::kOwed;
  return has_bought_ && Buys(asked) ? Again::kRepeated : Again::kNo;
}

void TurnControl::Inherit(const TurnControl& before) {
  const bool is_left =
      std::ranges::find(kToAnotherPage, before.grounds_.action.type) != kToAnotherPage.end();
  if (before.is_met_ || is_left) return;
  owed_.Owe(before.owed_);
  owed_.Owe(before.due_);
}

void TurnControl::Take(const Ruling& of_request) {
  is_met_ = is_met_ || of_request.is_due;
  has_bought_ = has_bought_ || Buys(of_request.asked);
}

std::string TurnControl::Note(const Ruling& ruling) {
  const std::string id = fmt::format("{}/r{}", grounds_.asker.turn.value(), ++numbers_);
  if (rulings_.size() < kMostRulings) rulings_.push_back(RulingJson(id, Law(), ruling));
  TellOf(ruling, id);
  return id;
}

// Once for each rule and what it came to: a page may ask for the same thing a hundred times.
void TurnControl::TellOf(const Ruling& ruling, const std::string& id) {
  if (ruling.audit.notify.empty()) return;
  const std::string_view effect = NameIn(kRulingEffects, ruling.effect);
  const bool is_news = told_of_.emplace(ruling.rule, effect, ruling.audit.notify).second;
  if (!is_news) return;
  kernel::PolicyNotice{.audit = ruling.audit,
                       .facts = ruling.asked.facts,
                       .effect = effect,
                       .rule = ruling.rule,
                       .decision = id}
      .Tell();
}

bool TurnControl::MustCount(const Ruling& ruling) const {
  // Who only observes makes nothing wait.
  const bool is_enforced =
      grounds_.policy && grounds_.policy->policy.document().mode == policy::PolicyMode::kEnforce;
  return is_enforced && rates_.IsDue(ruling.rates, StepOf(ruling.asked));
}

void TurnControl::Pass(const Ruling& ruling) {
  rates_.Pass(ruling.rates, StepOf(ruling.asked));
}

Task<Result<void>> TurnControl::Count(CallContext ctx, kernel::RateBook* book, const Ruling* ruling,
                                      std::string id) {
  if (ruling->rates.empty()) co_return Result<void>();
  kernel::RateClaim claim{.demands = ruling->rates,
                          .mode = grounds_.policy->policy.document().mode};
  CO_TRY_ASSIGN(
      const kernel::RateTaken taken,
      co_await rates_.Count(std::move(ctx), book, std::move(claim), StepOf(ruling->asked)));
  if (!taken.facts.limits.empty()) NoteRates(id, taken);
  if (const auto refusal = taken.Refusal()) co_return std::unexpected(*refusal);
  co_return Result<void>();
}

void TurnControl::NoteRates(const std::string& id, const kernel::RateTaken& taken) {
  for (json::value& one : rulings_) {
    json::object& ruling = one.as_object();
    if (ruling.at("id").as_string() != id) continue;
    json::object rates{{"facts", taken.facts.ToJson()}};
    if (const auto refusal = taken.Refusal()) rates["code"] = refusal->name();
    ruling["rates"] = std::move(rates);
  }
}

void TurnControl::NoteEnd(const std::string& id, const Error& why) {
  for (json::value& one : rulings_) {
    json::object& ruling = one.as_object();
    if (ruling.at("id").as_string() == id)
      ruling["end"] = {{"code", why.name()}, {"reason", why.message()}};
  }
}

void TurnControl::Failed(Error error) {
  if (failure_) return;
  failure_ = std::move(error);
  refused_.Cancel(*failure_);
}

}  // namespace falconer::engine
