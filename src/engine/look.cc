#include "engine/look.h"

#include <utility>

#include "engine/check_look.h"

namespace falconer::engine {

// A page that is stuck answers nothing.
CallContext Look::Limited(const CallContext& ctx) const {
  return ctx.WithTimeout(runtime_.config().drive.driver.action_timeout);
}

// Whoever may not look opens no session and takes no lease.
Task<Result<void>> Look::MayEnter(CallContext ctx, browser::SessionKey key, TabId tab,
                                  std::string* judged) {
  const auto session = runtime_.SessionAside(key);
  *judged = session->PageUrl(tab);
  const auto reach = session->kit ? kernel::GateReach::kLook : kernel::GateReach::kFirstLook;
  co_return co_await CheckLook(std::move(ctx), &runtime_, &caller_, session.get(), *judged, reach);
}

Task<Result<void>> Look::MayTell(CallContext ctx, Place* place) {
  std::string url = place->session->PageUrl(place->tab->id());
  if (url == place->judged) co_return Result<void>();
  place->judged = url;
  co_return co_await CheckLook(std::move(ctx), &runtime_, &caller_, place->session.get(),
                               std::move(url), kernel::GateReach::kLook);
}

Task<Result<Look::Place>> Look::PlaceOf(CallContext ctx, WorkflowId workflow, TabId tab) {
  const browser::SessionKey key{.tenant = caller_.tenant, .workflow = std::move(workflow)};
  Place place;
  CO_TRY(co_await MayEnter(ctx, key, tab, &place.judged));
  CO_TRY_ASSIGN(place.session, co_await runtime_.SessionFor(ctx, key));
  CO_TRY(*place.session->lease);
  CO_TRY_ASSIGN(place.kit, co_await runtime_.KitOf(ctx, place.session));
  CO_TRY_ASSIGN(place.tab, place.kit->driver.navigator().TabFor(tab));
  CO_TRY(co_await place.tab->Ready(ctx));
  CO_TRY(co_await MayTell(std::move(ctx), &place));
  co_return place;
}

Task<Result<Look::Place>> Look::PageOf(CallContext ctx, WorkflowId workflow, TabId tab) {
  CO_TRY_ASSIGN(Place place, co_await PlaceOf(std::move(ctx), std::move(workflow), std::move(tab)));
  CO_TRY(place.tab->Answers());
  co_return place;
}

Task<Result<model::StructuredState>> Look::State(CallContext ctx, WorkflowId workflow,
                                                 StateQuestion question) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(Place place, co_await PageOf(ctx, std::move(workflow), question.tab));
  CO_TRY_ASSIGN(
      auto state,
      co_await place.kit->extractor.Read(
          ctx, place.tab,
          {.scope = question.scope, .offset = question.offset, .limits = place.kit->state_limits}));
  CO_TRY(co_await MayTell(ctx, &place));
  const bool is_part = question.scope != model::StateScope::kViewport || question.offset > 0;
  if (is_part) co_return state;
  CO_TRY(place.kit->tracker.Track(place.tab->id(), std::move(state)));
  co_return *place.kit->tracker.Last(place.tab->id());
}

Task<Result<model::StateDelta>> Look::Since(CallContext ctx, WorkflowId workflow, TabId tab,
                                            std::string base_state_id) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(Place place, co_await PageOf(ctx, std::move(workflow), std::move(tab)));
  CO_TRY_ASSIGN(auto state, co_await place.kit->extractor.Read(
                                ctx, place.tab, {.limits = place.kit->state_limits}));
  CO_TRY(co_await MayTell(ctx, &place));
  CO_TRY(place.kit->tracker.Track(place.tab->id(), std::move(state)));
  co_return place.kit->tracker.Since(place.tab->id(), base_state_id);
}

Task<Result<std::optional<model::StructuredState>>> Look::Last(CallContext ctx,
                                                               WorkflowId workflow) {
  CO_TRY_ASSIGN(const Place place, co_await PlaceOf(std::move(ctx), std::move(workflow), TabId()));
  const model::StructuredState* last = place.kit->tracker.Last(place.tab->id());
  if (last == nullptr) co_return std::nullopt;
  co_return *last;
}

Task<Result<json::object>> Look::Find(CallContext ctx, WorkflowId workflow, TabId tab,
                                      std::string words, int limit) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(Place place, co_await PageOf(ctx, std::move(workflow), std::move(tab)));
  CO_TRY_ASSIGN(auto found,
                co_await place.kit->extractor.Find(ctx, place.tab, std::move(words), limit));
  CO_TRY(co_await MayTell(std::move(ctx), &place));
  co_return found;
}

Task<Result<json::object>> Look::Describe(CallContext ctx, WorkflowId workflow,
                                          model::Target target) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(Place place, co_await PageOf(ctx, std::move(workflow), TabId()));
  browser::Navigator& navigator = place.kit->driver.navigator();
  const auto bound = co_await navigator.Bind(ctx, place.tab, std::move(target));
  if (!bound) co_return json::object();
  const auto found = co_await navigator.Query(ctx, *bound, 1);
  if (!found) co_return json::object();
  CO_TRY(co_await MayTell(std::move(ctx), &place));
  const json::value* elements = found->if_contains("elements");
  const bool has_one = elements != nullptr && elements->is_array() &&
                       !elements->get_array().empty() && elements->get_array()[0].is_object();
  co_return has_one ? elements->get_array()[0].get_object() : json::object();
}

Task<Result<std::vector<ProbeFinding>>> Look::Probe(CallContext ctx, WorkflowId workflow,
                                                    std::vector<ProbedTarget> targets) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(Place place, co_await PageOf(ctx, std::move(workflow), TabId()));
  CO_TRY_ASSIGN(auto found, co_await browser::ProbePage(ctx, place.tab, std::move(targets)));
  CO_TRY(co_await MayTell(std::move(ctx), &place));
  co_return found;
}

Task<Result<std::vector<SeenElement>>> Look::Elements(CallContext ctx, WorkflowId workflow,
                                                      std::size_t most) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(Place place, co_await PageOf(ctx, std::move(workflow), TabId()));
  CO_TRY_ASSIGN(auto seen, co_await browser::SurveyPage(ctx, place.tab, most));
  CO_TRY(co_await MayTell(std::move(ctx), &place));
  co_return seen;
}

Task<Result<std::vector<browser::TabInfo>>> Look::Tabs(CallContext ctx, WorkflowId workflow) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(const Place place, co_await PlaceOf(ctx, std::move(workflow), TabId()));
  co_return co_await place.kit->session->tabs().List(std::move(ctx));
}

Task<Result<std::vector<model::NetworkEvent>>> Look::Network(CallContext ctx, WorkflowId workflow,
                                                             LogQuestion question) {
  CO_TRY_ASSIGN(const Place place,
                co_await PlaceOf(std::move(ctx), std::move(workflow), question.tab));
  co_return place.tab->network().EventsSince(question.since);
}

Task<Result<std::vector<browser::ConsoleEntry>>> Look::Console(CallContext ctx, WorkflowId workflow,
                                                               LogQuestion question) {
  CO_TRY_ASSIGN(const Place place,
                co_await PlaceOf(std::move(ctx), std::move(workflow), question.tab));
  co_return place.tab->console().EntriesSince(question.since);
}

}  // namespace falconer::engine
