// What happens, as it happens, as server-sent events: the records of the ledger, and the events of
// one session.

#include <utility>

#include "api/http/event_text.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/mcp/http_answers.h"
#include "base/list_parts.h"
#include "base/text.h"

namespace falconer::api {
namespace {

// The longest silence of a stream.
constexpr auto kStillThere = std::chrono::seconds(15);
constexpr Bounds<std::int64_t> kCreditCounts = {0, 1'000'000};
constexpr Bounds<std::int64_t> kAfters = {0, std::numeric_limits<std::int64_t>::max()};

struct EventsQuestion {
  std::optional<std::int64_t> credits;
  std::optional<std::int64_t> after;
};

EventsQuestion ReadEventsQuestion(JsonReader& in) {
  return {.credits = in.OptionalInteger("credits", kCreditCounts),
          .after = in.OptionalInteger("after", kAfters)};
}

struct SessionEventsQuestion {
  std::optional<std::int64_t> credits;
  std::vector<model::Lane> lanes;
};

std::vector<model::Lane> ReadLanes(JsonReader& in) {
  std::vector<model::Lane> lanes;
  const std::string named = in.OptionalString("lanes").value_or("control,data,telemetry");
  for (const std::string_view name : ListParts(named)) {
    const auto lane = ValueIn(model::kLanes, name);
    if (!lane) in.Reject("lanes", "there is no lane " + std::string(name));
    if (lane) lanes.push_back(*lane);
  }
  return lanes;
}

SessionEventsQuestion ReadSessionEventsQuestion(JsonReader& in) {
  return {.credits = in.OptionalInteger("credits", kCreditCounts), .lanes = ReadLanes(in)};
}

// Where a client that lost its connection was.
Result<std::optional<std::int64_t>> LastEventId(const net::HttpRequest& request) {
  const auto header = request.headers.Find("last-event-id");
  if (!header) return std::nullopt;
  const auto id = ParseWhole(*header);
  if (id && kAfters.Contains(*id)) return id;
  return Fail(ErrorCode::kInvalidArgument, "Last-Event-ID: is not the id of an event of ours");
}

// One reader at work.
struct Reading {
  RestContext* context;
  CallContext ctx;
  std::shared_ptr<Credits> credits;
  net::BodyWriter* out = nullptr;
};

// Waits by `next` for as long as it takes, and says meanwhile that it is still there.
template <typename Next>
auto Patiently(Reading* reading, Next next) -> decltype(next(reading->ctx)) {
  for (;;) {
    auto got = co_await next(reading->ctx.WithTimeout(kStillThere));
    const bool is_only_late = !got && got.error().code() == ErrorCode::kTimeout;
    if (!is_only_late || !reading->ctx.StillWanted("the event")) co_return std::move(got);
    CO_TRY(co_await reading->out->Write(std::string(kSseComment)));
  }
}

Task<Result<void>> SendEvent(Reading* reading, net::SharedBytes text) {
  CO_TRY(co_await Patiently(
      reading, [reading](CallContext ctx) { return reading->credits->Spend(std::move(ctx)); }));
  co_return co_await reading->out->WriteShared(std::move(text));
}

Task<Result<void>> SendRecords(Reading* reading, std::uint64_t after) {
  RestContext& context = *reading->context;
  for (;;) {
    CO_TRY_ASSIGN(const ToolRooms rooms, context.Rooms());
    CO_TRY_ASSIGN(const auto records, co_await Patiently(reading, [&](CallContext ctx) {
                    return context.tail.After(std::move(ctx), rooms, &context.guard, after);
                  }));
    for (const auto& record : records) {
      auto text = std::make_shared<const std::string>(
          SseText(std::to_string(record->seq), record->kind, record->facts));
      CO_TRY(co_await SendEvent(reading, net::SharedBytes(std::move(text))));
      after = record->seq;
    }
  }
}

Task<Result<void>> SendSessionEvents(Reading* reading, kernel::BusSubscription* events,
                                     std::vector<model::Lane> lanes) {
  for (;;) {
    CO_TRY_ASSIGN(const kernel::BusEventPtr event,
                  co_await Patiently(
                      reading, [events](CallContext ctx) { return events->Next(std::move(ctx)); }));
    const model::EventHeader& header = kernel::HeaderOf(*event);
    if (std::ranges::find(lanes, header.lane) == lanes.end()) continue;
    auto text = reading->context->event_texts.TextOf(event, reading->context->guard);
    CO_TRY(co_await SendEvent(reading, net::SharedBytes(std::move(text))));
  }
}

// Who reads on is told why nothing more comes; who has gone is told nothing.
Task<Result<void>> Conclude(Reading* reading, Result<void> ended) {
  if (ended) co_return ended;
  co_return co_await reading->out->Write(
      SseText("", "end", json::serialize(ProblemJson(ended.error()))));
}

std::string Opening(const Credits& credits) {
  json::object told{{"stream", credits.stream()}, {"credits", nullptr}};
  if (credits.left()) told["credits"] = *credits.left();
  return std::string(kSseRetry) + SseText("", "stream", json::serialize(told));
}

Task<Result<void>> WriteRecords(RestContext* context, CallContext ctx,
                                std::shared_ptr<Credits> credits, std::uint64_t after,
                                net::BodyWriter* out) {
  Reading reading{context, std::move(ctx), std::move(credits), out};
  CO_TRY(co_await out->Write(Opening(*reading.credits)));
  co_return co_await Conclude(&reading, co_await SendRecords(&reading, after));
}

Task<Result<void>> WriteSessionEvents(RestContext* context, CallContext ctx,
                                      std::shared_ptr<Credits> credits,
                                      std::shared_ptr<kernel::BusSubscription> events,
                                      std::vector<model::Lane> lanes, net::BodyWriter* out) {
  Reading reading{context, std::move(ctx), std::move(credits), out};
  CO_TRY(co_await out->Write(Opening(*reading.credits)));
  co_return co_await Conclude(&reading,
                              co_await SendSessionEvents(&reading, events.get(), std::move(lanes)));
}

std::optional<std::uint64_t> CountOf(std::optional<std::int64_t> credits) {
  return credits ? std::optional(static_cast<std::uint64_t>(*credits)) : std::nullopt;
}

// Without a place to begin at it begins now.
Task<Result<net::HttpResponse>> GetEvents(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const EventsQuestion question, ReadJson(call.query, "query", ReadEventsQuestion));
  CO_TRY_ASSIGN(const auto last_id, LastEventId(call.request));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const std::uint64_t newest, co_await context->tail.Last(ctx, rooms));
  const auto begin = last_id ? last_id : question.after;
  const std::uint64_t after = begin ? static_cast<std::uint64_t>(*begin) : newest;
  if (after > newest) {
    co_return Fail(ErrorCode::kInvalidArgument,
                   "after: the newest record is " + std::to_string(newest));
  }
  co_return EventsResponse(
      [context, ctx, credits = context->credits.Open(CountOf(question.credits)),
       after](net::BodyWriter* out) { return WriteRecords(context, ctx, credits, after, out); });
}

Task<Result<net::HttpResponse>> GetSessionEvents(RestContext* context, CallContext ctx,
                                                 RouteCall call) {
  CO_TRY_ASSIGN(const SessionEventsQuestion question,
                ReadJson(call.query, "query", ReadSessionEventsQuestion));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  auto credits = context->credits.Open(CountOf(question.credits));
  CO_TRY_ASSIGN(auto events,
                rooms.runtime->Listen(SessionNamed(rooms, call.At("session")), credits->stream()));
  auto shared = std::make_shared<kernel::BusSubscription>(std::move(events));
  co_return EventsResponse([context, ctx, credits = std::move(credits), shared = std::move(shared),
                            lanes = question.lanes](net::BodyWriter* out) {
    return WriteSessionEvents(context, ctx, credits, shared, lanes, out);
  });
}

std::int64_t ReadGrant(JsonReader& in) {
  return in.Integer("credits", {1, kCreditCounts.max});
}

Task<Result<net::HttpResponse>> GrantCredits(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(const std::int64_t count, ReadJson(body, "grant", ReadGrant));
  CO_TRY_ASSIGN(const std::uint64_t left,
                context->credits.Grant(call.At("stream"), static_cast<std::uint64_t>(count)));
  co_return JsonResponse(200, json::object{{"credits", left}});
}

}  // namespace

std::vector<Route> EventRoutes(RestContext& context) {
  return {
      {.method = "GET",
       .pattern = "/v1/events",
       .tag = "events",
       .summary = "Every record of the ledger as it is appended, as server-sent events. Goes on "
                  "after Last-Event-ID.",
       .roles = kAuditing,
       .handler = Handle<GetEvents>(context),
       .query = {{"after", "integer", "begin after this record; without it, now"},
                 {"credits", "integer", "send no more than so many before more are granted"}},
       .media = "text/event-stream"},
      {.method = "GET",
       .pattern = "/v1/sessions/{session}/events",
       .tag = "events",
       .summary = "What happens in a session, in lanes: control is never lost, of the others a "
                  "notice tells what was.",
       .roles = kEveryRole,
       .handler = Handle<GetSessionEvents>(context),
       .query = {{"lanes", "string", "some of control,data,telemetry (all)"},
                 {"credits", "integer", "send no more than so many before more are granted"}},
       .media = "text/event-stream"},
      {.method = "POST",
       .pattern = "/v1/streams/{stream}/credits",
       .tag = "events",
       .summary = "Grant a stream of events more of them.",
       .roles = kEveryRole,
       .handler = Handle<GrantCredits>(context),
       .body = "Grant"}};
}

}  // namespace falconer::api
