#include "engine/look.h"

#include <utility>

namespace falconer::engine {

// A page that is stuck answers nothing.
CallContext Look::Limited(const CallContext& ctx) const {
  return ctx.WithTimeout(runtime_.config().drive.driver.action_timeout);
}

Task<Result<Look::Place>> Look::PlaceOf(CallContext ctx, browser::SessionKey key, TabId tab) {
  CO_TRY_ASSIGN(auto session, co_await runtime_.SessionFor(ctx, std::move(key)));
  CO_TRY(*session->lease);
  Place place;
  CO_TRY_ASSIGN(place.kit, co_await runtime_.KitOf(ctx, session));
  CO_TRY_ASSIGN(place.tab, place.kit->driver.navigator().TabFor(tab));
  CO_TRY(co_await place.tab->Ready(std::move(ctx)));
  co_return place;
}

Task<Result<model::StructuredState>> Look::State(CallContext ctx, browser::SessionKey key,
                                                 StateQuestion question) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(const Place place, co_await PlaceOf(ctx, std::move(key), question.tab));
  CO_TRY_ASSIGN(
      auto state,
      co_await place.kit->extractor.Read(
          ctx, place.tab,
          {.scope = question.scope, .offset = question.offset, .limits = place.kit->state_limits}));
  const bool is_part = question.scope != model::StateScope::kViewport || question.offset > 0;
  if (is_part) co_return state;
  CO_TRY(place.kit->tracker.Track(place.tab->id(), std::move(state)));
  co_return *place.kit->tracker.Last(place.tab->id());
}

Task<Result<model::StateDelta>> Look::Since(CallContext ctx, browser::SessionKey key, TabId tab,
                                            std::string base_state_id) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(const Place place, co_await PlaceOf(ctx, std::move(key), std::move(tab)));
  CO_TRY_ASSIGN(auto state, co_await place.kit->extractor.Read(
                                ctx, place.tab, {.limits = place.kit->state_limits}));
  CO_TRY(place.kit->tracker.Track(place.tab->id(), std::move(state)));
  co_return place.kit->tracker.Since(place.tab->id(), base_state_id);
}

Task<Result<json::object>> Look::Find(CallContext ctx, browser::SessionKey key, TabId tab,
                                      std::string words, int limit) {
  ctx = Limited(ctx);
  CO_TRY_ASSIGN(const Place place, co_await PlaceOf(ctx, std::move(key), std::move(tab)));
  co_return co_await place.kit->extractor.Find(ctx, place.tab, std::move(words), limit);
}

Task<Result<std::vector<model::NetworkEvent>>> Look::Network(CallContext ctx,
                                                             browser::SessionKey key,
                                                             LogQuestion question) {
  CO_TRY_ASSIGN(const Place place, co_await PlaceOf(ctx, std::move(key), question.tab));
  co_return place.tab->network().EventsSince(question.since);
}

Task<Result<std::vector<browser::ConsoleEntry>>> Look::Console(CallContext ctx,
                                                               browser::SessionKey key,
                                                               LogQuestion question) {
  CO_TRY_ASSIGN(const Place place, co_await PlaceOf(ctx, std::move(key), question.tab));
  co_return place.tab->console().EntriesSince(question.since);
}

}  // namespace falconer::engine
