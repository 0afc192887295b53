#include "api/mcp/listening.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace falconer::api {
namespace {

constexpr std::string_view kMetaSubscription = "io.modelcontextprotocol/subscriptionId";
constexpr std::string_view kWatchField = "resourceSubscriptions";
// Resources that one client, or one request, may watch.
constexpr std::size_t kMostWatched = 1024;

struct ChangeRow {
  OfferChange what;
  std::string_view field;  // of a filter
  std::string_view method;
};
constexpr ChangeRow kChanges[] = {
    {OfferChange::kTools, "toolsListChanged", "notifications/tools/list_changed"},
    {OfferChange::kPrompts, "promptsListChanged", "notifications/prompts/list_changed"},
    {OfferChange::kResources, "resourcesListChanged", "notifications/resources/list_changed"},
    {OfferChange::kResource, kWatchField, "notifications/resources/updated"},
};

std::string_view MethodOf(OfferChange what) {
  return std::ranges::find(kChanges, what, &ChangeRow::what)->method;
}

json::object ParamsOf(OfferChange what, std::string_view uri) {
  if (what != OfferChange::kResource) return {};
  return {{"uri", uri}};
}

// What one request wants to be told of, as far as there is anything to tell.
struct Filter {
  OfferChanges lists;
  std::set<std::string, std::less<>> watched;

  bool Wants(OfferChange what, const std::string& uri) const {
    return what == OfferChange::kResource ? watched.contains(uri) : lists.Contains(what);
  }

  json::object ToJson() const {
    json::object object;
    for (const ChangeRow& row : kChanges) {
      if (lists.Contains(row.what)) object[row.field] = true;
    }
    if (!watched.empty()) object[kWatchField] = json::array(watched.begin(), watched.end());
    return object;
  }
};

std::unexpected<RpcFailure> BadFilter(std::string message) {
  return std::unexpected(MakeRpcFailure(kRpcInvalidParams, std::move(message)));
}

std::expected<std::set<std::string, std::less<>>, RpcFailure> ReadWatched(
    const json::object& filter) {
  std::set<std::string, std::less<>> watched;
  const json::value* uris = filter.if_contains(kWatchField);
  if (uris == nullptr) return watched;
  const std::string field = "notifications." + std::string(kWatchField);
  if (!uris->is_array()) return BadFilter(field + ": expected array of strings");
  for (const json::value& uri : uris->get_array()) {
    if (!uri.is_string()) return BadFilter(field + ": expected array of strings");
    watched.emplace(uri.get_string());
  }
  if (watched.size() > kMostWatched)
    return BadFilter(field + ": at most " + std::to_string(kMostWatched));
  return watched;
}

std::expected<Filter, RpcFailure> ReadFilter(const json::object& params, const ChangeFeed& feed) {
  const json::value* asked = params.if_contains("notifications");
  if (asked == nullptr || !asked->is_object()) return BadFilter("notifications: expected object");
  Filter filter;
  for (const ChangeRow& row : kChanges) {
    if (feed.TellsOf(row.what) && IsTrueAt(asked->get_object(), row.field))
      filter.lists.Add(row.what);
  }
  auto watched = ReadWatched(asked->get_object());
  if (!watched) return std::unexpected(std::move(watched).error());
  if (feed.TellsOf(OfferChange::kResource)) filter.watched = *std::move(watched);
  return filter;
}

// It ends with the client, who closes the stream, or with the server; then it is answered.
Task<RpcAnswer> Listen(CallContext ctx, std::shared_ptr<ChangeFeed> feed, McpCall call) {
  const auto filter = ReadFilter(call.request.params, *feed);
  if (!filter) co_return std::unexpected(filter.error());
  const json::object meta{{kMetaSubscription, call.request.id}};
  call.notify("notifications/subscriptions/acknowledged",
              {{"_meta", meta}, {"notifications", filter->ToJson()}});
  const Subscription subscription = feed->Subscribe(
      [filter = *filter, meta, notify = call.notify](OfferChange what, const std::string& uri) {
        if (!filter.Wants(what, uri)) return;
        json::object params = ParamsOf(what, uri);
        params["_meta"] = meta;
        notify(MethodOf(what), std::move(params));
      });
  Alarm never(ctx.executor(), ctx.clock());
  (void)co_await ctx.Wait(&never, "listening");
  co_return json::object{{"_meta", meta}};
}

}  // namespace

McpMethod ListenMethod(const std::shared_ptr<ChangeFeed>& feed) {
  return {.name = kListen, .only = McpEra::kModern, .run = [feed](CallContext ctx, McpCall call) {
            return Listen(std::move(ctx), feed, std::move(call));
          }};
}

LegacyNews::LegacyNews(std::shared_ptr<ChangeFeed> feed, Send send)
    : feed_(std::move(feed)), send_(std::move(send)) {
}

void LegacyNews::Begin() {
  subscription_ =
      feed_->Subscribe([this](OfferChange what, const std::string& uri) { Tell(what, uri); });
}

std::vector<McpMethod> LegacyNews::Methods() {
  if (!feed_->TellsOf(OfferChange::kResource)) return {};
  return {{.name = "resources/subscribe",
           .only = McpEra::kLegacy,
           .answer = [this](const RpcMessage& request, McpEra) { return Subscribe(request); }},
          {.name = "resources/unsubscribe",
           .only = McpEra::kLegacy,
           .answer = [this](const RpcMessage& request, McpEra) { return Unsubscribe(request); }}};
}

RpcAnswer LegacyNews::Subscribe(const RpcMessage& request) {
  const std::string uri = TextAt(request.params, "uri");
  if (uri.empty()) return BadFilter("uri: expected string");
  if (watched_.size() >= kMostWatched && !watched_.contains(uri))
    return BadFilter("uri: at most " + std::to_string(kMostWatched) + " can be subscribed to");
  watched_.insert(uri);
  return json::object{};
}

RpcAnswer LegacyNews::Unsubscribe(const RpcMessage& request) {
  const std::string uri = TextAt(request.params, "uri");
  if (uri.empty()) return BadFilter("uri: expected string");
  watched_.erase(uri);
  return json::object{};
}

void LegacyNews::Tell(OfferChange what, const std::string& uri) const {
  if (what == OfferChange::kResource && !watched_.contains(uri)) return;
  send_(RpcNotificationText(MethodOf(what), ParamsOf(what, uri)));
}

}  // namespace falconer::api
