#include "api/mcp/http_headers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/mcp/revisions.h"
#include "base/base64.h"
#include "base/list_parts.h"
#include "base/text.h"

namespace falconer::api {
namespace {

constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";

// Methods whose subject is repeated in Mcp-Name, and where they name it.
struct NamedMethod {
  std::string_view method;
  std::string_view field;
};
constexpr NamedMethod kNamedMethods[] = {{"tools/call", "name"},     {"prompts/get", "name"},
                                         {"resources/read", "uri"},  {"tasks/get", "taskId"},
                                         {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};

// "text/html;q=0.9" -> "text/html"; "" for one that is said not to be wanted.
std::string_view MediaType(std::string_view item) {
  const auto end = item.find(';');
  const std::string_view rest = end == std::string_view::npos ? "" : Trim(item.substr(end + 1));
  if (rest == "q=0" || rest == "q=0.0") return {};
  return Trim(item.substr(0, end));
}

bool Covers(std::string_view range, std::string_view type) {
  if (range == "*/*" || IsSameWord(range, type)) return true;
  return range.ends_with("/*") &&
         IsSameWord(range.substr(0, range.size() - 1), type.substr(0, type.find('/') + 1));
}

std::optional<std::string> Decoded(std::string_view value) {
  if (!value.starts_with(kEncodedBegin) || !value.ends_with(kEncodedEnd) ||
      value.size() < kEncodedBegin.size() + kEncodedEnd.size()) {
    return std::string(value);
  }
  value.remove_prefix(kEncodedBegin.size());
  value.remove_suffix(kEncodedEnd.size());
  auto decoded = DecodeBase64(value);
  if (!decoded) return std::nullopt;
  return *std::move(decoded);
}

std::optional<RpcFailure> CheckRepeats(const net::HttpHeaders& headers, std::string_view name,
                                       std::string_view said) {
  const auto value = RepeatedIn(headers, name);
  if (!value) return value.error();
  const std::string header(name);
  if (!*value) return HeaderMismatch("header " + header + " is missing");
  if (**value == said) return std::nullopt;
  return HeaderMismatch("header " + header + " does not match the message, which says \"" +
                        std::string(said) + "\"");
}

}  // namespace

RpcFailure HeaderMismatch(std::string message) {
  return MakeRpcFailure(kRpcHeaderMismatch, std::move(message));
}

// A second field of the same name would let others read another value than we do.
std::expected<std::optional<std::string>, RpcFailure> RepeatedIn(const net::HttpHeaders& headers,
                                                                 std::string_view name) {
  std::vector<std::string_view> values;
  for (const auto& field : headers) {
    if (IsSameWord(field.name, name)) values.push_back(field.value);
  }
  if (values.empty()) return std::nullopt;
  const std::string header(name);
  if (values.size() > 1)
    return std::unexpected(HeaderMismatch("header " + header + " is there more than once"));
  auto value = Decoded(values.front());
  if (!value) return std::unexpected(HeaderMismatch("header " + header + " is not base64"));
  return value;
}

AcceptedForms FormsAcceptedIn(const net::HttpHeaders& headers) {
  AcceptedForms forms;
  for (const auto& field : headers) {
    if (!IsSameWord(field.name, "Accept")) continue;
    for (const std::string_view part : ListParts(field.value)) {
      const std::string_view range = MediaType(part);
      forms.json = forms.json || Covers(range, kJsonType);
      forms.stream = forms.stream || Covers(range, kStreamType);
    }
  }
  return forms;
}

bool IsJsonBody(const net::HttpHeaders& headers) {
  const auto type = headers.Find("Content-Type");
  return type && IsSameWord(Trim(type->substr(0, type->find(';'))), kJsonType);
}

bool AreModern(const net::HttpHeaders& headers) {
  return headers.Find(kVersionHeader) == kModernVersion;
}

std::optional<RpcFailure> CheckModernPost(const net::HttpHeaders& headers,
                                          const RpcMessage& request) {
  const json::value* version = request.meta().if_contains(kMetaVersion);
  if (version == nullptr || !version->is_string()) return CheckMeta(request);
  if (auto wrong = CheckRepeats(headers, kVersionHeader, version->get_string())) return wrong;
  if (auto wrong = CheckMeta(request)) return wrong;
  if (auto wrong = CheckRepeats(headers, "Mcp-Method", request.method)) return wrong;
  const auto* const named = std::ranges::find(kNamedMethods, request.method, &NamedMethod::method);
  if (named == std::end(kNamedMethods)) return std::nullopt;
  return CheckRepeats(headers, "Mcp-Name", TextAt(request.params, named->field));
}

std::optional<RpcFailure> CheckLegacyVersion(const net::HttpHeaders& headers) {
  const auto version = headers.Find(kVersionHeader);
  if (!version || IsLegacyVersion(*version)) return std::nullopt;
  return UnsupportedVersion(json::value(*version), kAllVersions);
}

}  // namespace falconer::api
