#include "browser/context/storage.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/log.h"
#include "browser/context/hidden_page.h"
#include "browser/frames/page_script.h"
#include "model/url.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kMostOrigins = 1'000;
// A page that does not answer is not waited for: its storage can be read without it.
constexpr Duration kFramePatience = std::chrono::seconds(2);

constexpr std::string_view kReadItems =
    "()=>Object.keys(localStorage).sort().map(k=>[k,localStorage.getItem(k)])";
constexpr std::string_view kWriteItems =
    "items=>{localStorage.clear();for(const [k,v] of items)localStorage.setItem(k,v);return true}";

Cookie FromBrowser(cdp::Cookie from) {
  Cookie cookie{.name = std::move(from.name),
                .value = std::move(from.value),
                .domain = std::move(from.domain),
                .path = std::move(from.path),
                .http_only = from.http_only,
                .secure = from.secure,
                .same_site = std::move(from.same_site),
                .partition_key = std::move(from.partition_key)};
  if (!from.session) cookie.expires = from.expires;
  return cookie;
}

cdp::CookieParam ToBrowser(Cookie from) {
  cdp::CookieParam cookie{.name = std::move(from.name),
                          .value = std::move(from.value),
                          .path = std::move(from.path),
                          .secure = from.secure,
                          .http_only = from.http_only,
                          .same_site = std::move(from.same_site),
                          .expires = from.expires,
                          .partition_key = std::move(from.partition_key)};
  // A cookie for one host alone is set through an address; a domain would include its subdomains.
  if (from.domain.starts_with('.')) {
    cookie.domain = std::move(from.domain);
  } else {
    cookie.url = (from.secure ? "https://" : "http://") + from.domain + "/";
  }
  return cookie;
}

// The browser would make something of almost any text.
Result<void> CheckDomain(const Cookie& cookie) {
  const std::string_view domain = cookie.domain;
  const std::string_view host = domain.substr(domain.starts_with('.') ? 1 : 0);
  const std::string url = "http://" + std::string(host) + "/";
  if (model::CheckWebUrl(url) && model::SplitUrl(url).host == host) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "cookies: cookie " + cookie.name + " has no fitting domain");
}

std::vector<std::pair<std::string, std::string>> ToItems(const json::value& value) {
  std::vector<std::pair<std::string, std::string>> items;
  if (!value.is_array()) return items;
  for (const json::value& pair : value.get_array()) {
    if (!pair.is_array() || pair.get_array().size() != 2) continue;
    const json::value& name = pair.get_array()[0];
    const json::value& text = pair.get_array()[1];
    if (name.is_string() && text.is_string())
      items.emplace_back(name.get_string(), text.get_string());
  }
  return items;
}

json::array FromItems(const std::vector<std::pair<std::string, std::string>>& items) {
  json::array out;
  for (const auto& [name, value] : items) out.push_back(json::array{name, value});
  return out;
}

}  // namespace

Storage::Storage(std::shared_ptr<cdp::Session> root, std::string context_id, TabManager& tabs)
    : root_(std::move(root)), context_id_(std::move(context_id)), tabs_(tabs) {
  subscriptions_.push_back(
      tabs_.on_opened().Subscribe([this](const std::shared_ptr<Tab>& tab) { Follow(tab); }));
  subscriptions_.push_back(
      tabs_.on_closed().Subscribe([this](const TabId& id) { documents_.erase(id.value()); }));
}

Storage::~Storage() = default;

void Storage::Follow(const std::shared_ptr<Tab>& tab) {
  documents_.emplace(tab->id().value(),
                     tab->frames().on_document().Subscribe(
                         [this](const Frame& frame) { NoteOrigin(frame.document->url); }));
}

void Storage::NoteOrigin(const std::string& url) {
  std::string origin = OriginOf(url);
  if (origin.empty() || origins_.contains(origin)) return;
  if (origins_.size() < kMostOrigins) {
    origins_.insert(std::move(origin));
  } else {
    LOG(warn, "storage.too_many_origins", {"kept", origins_.size()});
  }
}

Task<Result<std::vector<Cookie>>> Storage::Cookies(CallContext ctx) {
  CO_TRY_ASSIGN(auto reply,
                co_await root_->Send(std::move(ctx),
                                     cdp::StorageGetCookies{.browser_context_id = context_id_}));
  std::vector<Cookie> cookies;
  for (cdp::Cookie& cookie : reply.cookies) cookies.push_back(FromBrowser(std::move(cookie)));
  std::ranges::sort(cookies, {},
                    [](const Cookie& c) { return std::tie(c.domain, c.path, c.name); });
  co_return cookies;
}

Task<Result<void>> Storage::SetCookies(CallContext ctx, std::vector<Cookie> cookies) {
  std::vector<cdp::CookieParam> params;
  for (Cookie& cookie : cookies) {
    CO_TRY(CheckDomain(cookie));
    params.push_back(ToBrowser(std::move(cookie)));
  }
  const auto set = co_await root_->Send(
      std::move(ctx),
      cdp::StorageSetCookies{.cookies = std::move(params), .browser_context_id = context_id_});
  if (set) co_return Result<void>();
  if (set.error().code() != ErrorCode::kProtocolError) co_return std::unexpected(set.error());
  co_return Fail(ErrorCode::kInvalidArgument,
                 "cookies: the browser refuses one: " + set.error().message());
}

Task<Result<void>> Storage::ClearCookies(CallContext ctx) {
  CO_TRY(co_await root_->Send(std::move(ctx),
                              cdp::StorageClearCookies{.browser_context_id = context_id_}));
  co_return Result<void>();
}

Task<Result<StorageState>> Storage::Save(CallContext ctx) {
  StorageState state;
  CO_TRY_ASSIGN(state.cookies, co_await Cookies(ctx));
  std::unique_ptr<HiddenPage> page;
  const auto origins = origins_;
  for (const std::string& origin : origins) {
    CO_TRY_ASSIGN(auto storage, co_await ReadOrigin(ctx, origin, &page));
    if (!storage.local_storage.empty()) state.origins.push_back(std::move(storage));
  }
  co_return state;
}

Task<Result<OriginStorage>> Storage::ReadOrigin(CallContext ctx, std::string origin,
                                                std::unique_ptr<HiddenPage>* page) {
  auto items = co_await ReadFromFrame(ctx.WithTimeout(kFramePatience), origin);
  if (!items) items = co_await CallHidden(ctx, page, origin, std::string(kReadItems), nullptr);
  if (!items)
    co_return std::unexpected(std::move(items).error().In("reading storage of " + origin));
  co_return OriginStorage{.origin = std::move(origin), .local_storage = ToItems(*items)};
}

// What a page has just written is seen at once by the page itself, and a little later by others.
Task<Result<json::value>> Storage::ReadFromFrame(CallContext ctx, std::string origin) {
  for (const auto& tab : tabs_.all()) {
    for (const auto& frame : tab->frames().All()) {
      if (OriginOf(frame->document->url) != origin || !tab->Alive()) continue;
      co_return co_await EvaluateGuest(std::move(ctx), ScriptCall::Into(frame),
                                       std::string(kReadItems), nullptr);
    }
  }
  co_return Fail(ErrorCode::kNotFound, "no frame shows " + origin);
}

Task<Result<json::value>> Storage::CallHidden(CallContext ctx, std::unique_ptr<HiddenPage>* page,
                                              std::string origin, std::string function,
                                              json::value argument) {
  if (!*page) {
    CO_TRY_ASSIGN(*page, co_await HiddenPage::Open(ctx, &tabs_, root_));
  }
  co_return co_await (*page)->CallOn(std::move(ctx), std::move(origin), std::move(function),
                                     std::move(argument));
}

Task<Result<void>> Storage::Load(CallContext ctx, StorageState state) {
  if (!state.cookies.empty()) CO_TRY(co_await SetCookies(ctx, std::move(state.cookies)));
  std::unique_ptr<HiddenPage> page;
  for (const OriginStorage& storage : state.origins) {
    auto written = co_await CallHidden(ctx, &page, storage.origin, std::string(kWriteItems),
                                       FromItems(storage.local_storage));
    if (!written) {
      co_return std::unexpected(
          std::move(written).error().In("loading storage of " + storage.origin));
    }
    NoteOrigin(storage.origin);
  }
  co_return Result<void>();
}

}  // namespace falconer::browser
