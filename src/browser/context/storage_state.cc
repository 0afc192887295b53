#include "browser/context/storage_state.h"

#include "base/json/json_reader.h"
#include "model/url.h"

namespace falconer::browser {
namespace {

constexpr Bounds<std::size_t> kCookieCount{0, 10'000};
constexpr Bounds<std::size_t> kOriginCount{0, 1'000};
constexpr Bounds<std::size_t> kItemCount{0, 100'000};

enum class SameSite { kStrict, kLax, kNone };
constexpr EnumName<SameSite> kSameSite[] = {
    {SameSite::kStrict, "Strict"}, {SameSite::kLax, "Lax"}, {SameSite::kNone, "None"}};

Cookie ReadCookie(JsonReader& in) {
  Cookie cookie{.name = in.String("name"),
                .value = in.String("value"),
                .domain = in.String("domain", {.min = 1}),
                .path = in.OptionalString("path").value_or("/"),
                .expires = in.OptionalNumber("expires", {.min = 0}),
                .http_only = in.OptionalBool("http_only").value_or(false),
                .secure = in.OptionalBool("secure").value_or(false),
                .partition_key = in.OptionalRawValue("partition_key")};
  if (const auto same_site = in.OptionalEnum("same_site", kSameSite)) {
    cookie.same_site = NameIn(kSameSite, *same_site);
  }
  return cookie;
}

std::pair<std::string, std::string> ReadItem(JsonReader& in) {
  return {in.String("name"), in.String("value")};
}

OriginStorage ReadOrigin(JsonReader& in) {
  OriginStorage storage{.origin = in.String("origin"),
                        .local_storage = in.OptionalObjects("local_storage", ReadItem, kItemCount)};
  if (storage.origin.empty() || OriginOf(storage.origin) != storage.origin) {
    in.Reject("origin", "must be like https://example.com, without path");
  }
  return storage;
}

StorageState ReadState(JsonReader& in) {
  return {.cookies = in.OptionalObjects("cookies", ReadCookie, kCookieCount),
          .origins = in.OptionalObjects("origins", ReadOrigin, kOriginCount)};
}

json::object ToJson(const OriginStorage& storage) {
  json::array items;
  for (const auto& [name, value] : storage.local_storage) {
    items.push_back(json::object{{"name", name}, {"value", value}});
  }
  return {{"origin", storage.origin}, {"local_storage", std::move(items)}};
}

}  // namespace

json::object ToJson(const Cookie& cookie) {
  json::object out{{"name", cookie.name},           {"value", cookie.value},
                   {"domain", cookie.domain},       {"path", cookie.path},
                   {"http_only", cookie.http_only}, {"secure", cookie.secure}};
  if (cookie.expires) out["expires"] = *cookie.expires;
  if (cookie.same_site) out["same_site"] = *cookie.same_site;
  if (cookie.partition_key) out["partition_key"] = *cookie.partition_key;
  return out;
}

json::object ToJson(const StorageState& state) {
  json::array cookies;
  for (const Cookie& cookie : state.cookies) cookies.push_back(ToJson(cookie));
  json::array origins;
  for (const OriginStorage& storage : state.origins) origins.push_back(ToJson(storage));
  return {{"cookies", std::move(cookies)}, {"origins", std::move(origins)}};
}

Result<StorageState> ParseStorageState(const json::value& value) {
  return ReadJson(value, "storage_state", ReadState);
}

Result<std::vector<Cookie>> ParseCookies(const json::value& value) {
  // The reader reads fields, and a list is not one by itself.
  const json::object wrapped{{"cookies", value}};
  JsonReader in(wrapped);
  auto cookies = in.Objects("cookies", ReadCookie, kCookieCount);
  TRY(in.Done());
  return cookies;
}

std::string OriginOf(std::string_view url) {
  const model::UrlParts parts = model::SplitUrl(url);
  if ((parts.scheme != "http" && parts.scheme != "https") || parts.host.empty()) return "";
  const std::string_view usual_port = parts.scheme == "http" ? "80" : "443";
  const bool names_port = !parts.port.empty() && parts.port != usual_port;
  return parts.scheme + "://" + parts.host + (names_port ? ":" + parts.port : "");
}

}  // namespace falconer::browser
