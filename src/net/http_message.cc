#include "net/http_message.h"

#include <algorithm>

#include "base/percent.h"
#include "base/text.h"
#include "base/utf8.h"

namespace falconer::net {
namespace {

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

// Proxies and some clients send the whole URL; only its path and query matter to an origin server.
std::string_view WithoutAuthority(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  if (!target.starts_with(kScheme)) return target;
  const auto slash = target.find('/', kScheme.size());
  return slash == std::string_view::npos ? "/" : target.substr(slash);
}

}  // namespace

void HttpHeaders::Set(std::string name, std::string value) {
  std::erase_if(fields_, [&](const Field& field) { return IsSameWord(field.name, name); });
  Add(std::move(name), std::move(value));
}

void HttpHeaders::Add(std::string name, std::string value) {
  fields_.push_back({std::move(name), std::move(value)});
}

std::optional<std::string_view> HttpHeaders::Find(std::string_view name) const {
  const auto at = std::ranges::find_if(
      fields_, [&](const Field& field) { return IsSameWord(field.name, name); });
  if (at == fields_.end()) return std::nullopt;
  return at->value;
}

std::vector<std::pair<std::string, std::string>> QueryPairs(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    const auto equals = std::min(pair.find('='), pair.size());
    if (!pair.empty()) {
      pairs.emplace_back(FormDecoded(pair.substr(0, equals)),
                         FormDecoded(pair.substr(std::min(equals + 1, pair.size()))));
    }
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return pairs;
}

std::optional<std::string> QueryValue(std::string_view query, std::string_view key) {
  for (auto& [name, value] : QueryPairs(query))
    if (name == key) return std::move(value);
  return std::nullopt;
}

Result<RequestTarget> ParseRequestTarget(std::string_view target) {
  if (target == "*") return RequestTarget{.path = "*", .query = ""};
  const auto local = WithoutAuthority(target);
  if (!local.starts_with('/')) {
    return Fail(ErrorCode::kInvalidArgument, "request target is not a path");
  }
  const auto mark = std::min(local.find('?'), local.size());
  auto path = ParsePercent(local.substr(0, mark));
  if (!path || std::ranges::any_of(*path, IsControl) || !IsValidUtf8(*path)) {
    return Fail(ErrorCode::kInvalidArgument,
                "request path has a bad escape or control character, or is no UTF-8");
  }
  const auto query = local.substr(std::min(mark + 1, local.size()));
  return RequestTarget{.path = *std::move(path), .query = std::string(query)};
}

HttpResponse TextResponse(int status, std::string content_type, std::string body) {
  HttpResponse response{.status = status, .body = std::move(body)};
  response.headers.Set("Content-Type", std::move(content_type));
  return response;
}

}  // namespace falconer::net
