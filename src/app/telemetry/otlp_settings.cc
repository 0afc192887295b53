#include "app/telemetry/otlp_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "model/url.h"

namespace falconer::app {
namespace {

constexpr std::string_view kTracesPath = "/v1/traces";
constexpr std::string_view kReferenceBegin = "{secret:";
// Of a trace's id; the rest may follow from the time.
constexpr std::size_t kRandomDigits = 14;

std::unexpected<Error> BadOtlp(std::string_view setting, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidSetting, fmt::format("{}: {}", setting, why),
                               {{"setting", setting}}));
}

// The name of a header, RFC 9110.
bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kMarks.contains(c);
  });
}

// "NAME" or "NAME:FIELD".
Result<policy::SecretReference> ReferenceFrom(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  policy::SecretReference reference{.name = std::string(text.substr(0, colon))};
  TRY(policy::CheckSecretName("the name of a secret", reference.name));
  if (colon == text.size()) return reference;
  reference.field = text.substr(colon + 1);
  TRY(policy::CheckSecretName("the field of a secret", reference.field));
  return reference;
}

Result<std::vector<OtlpHeader::Piece>> PiecesOf(std::string_view value) {
  std::vector<OtlpHeader::Piece> pieces;
  while (!value.empty()) {
    const std::size_t begin = std::min(value.find(kReferenceBegin), value.size());
    if (begin > 0) pieces.push_back({.text = std::string(value.substr(0, begin))});
    value.remove_prefix(begin);
    if (value.empty()) break;
    const std::size_t end = value.find('}');
    if (end == std::string_view::npos)
      return Fail(ErrorCode::kInvalidArgument, "{secret: is not closed");
    TRY_ASSIGN(auto reference,
               ReferenceFrom(value.substr(kReferenceBegin.size(), end - kReferenceBegin.size())));
    pieces.push_back({.text = "", .secret = std::move(reference)});
    value.remove_prefix(end + 1);
  }
  return pieces;
}

}  // namespace

Result<OtlpHeader> ParseOtlpHeader(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = Trim(text.substr(0, equals));
  if (equals == std::string_view::npos || !IsToken(name))
    return Fail(ErrorCode::kInvalidArgument, "expected NAME=VALUE");
  const std::string_view value = Trim(text.substr(equals + 1));
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
  if (std::ranges::any_of(value, is_control))
    return Fail(ErrorCode::kInvalidArgument, "a header holds no control characters");
  TRY_ASSIGN(auto pieces, PiecesOf(value));
  return OtlpHeader{.name = std::string(name), .value = std::move(pieces)};
}

Result<std::optional<OtlpConfig>> OtlpFrom(const Settings& settings) {
  std::string url = settings.telemetry.otlp_endpoint;
  if (url.empty()) return std::optional<OtlpConfig>();
  const model::UrlParts parts = model::SplitUrl(url);
  const bool is_web = parts.scheme == "http" || parts.scheme == "https";
  if (!is_web || !model::CheckWebUrl(url) || url.find_first_of("?#@") != std::string::npos) {
    return BadOtlp("telemetry.otlp_endpoint",
                   "expected an http or https address such as http://127.0.0.1:4318");
  }
  while (url.ends_with('/')) url.pop_back();
  if (!url.ends_with(kTracesPath)) url += kTracesPath;
  OtlpConfig config{.url = std::move(url),
                    .trust = {.authorities = settings.telemetry.otlp_ca},
                    .sample_ratio = settings.telemetry.sample_ratio};
  for (const std::string& text : settings.telemetry.otlp_headers) {
    auto header = ParseOtlpHeader(text);
    // The value may be what nobody is to see.
    if (!header) return BadOtlp("telemetry.otlp_headers", header.error().message());
    config.headers.push_back(*std::move(header));
  }
  return std::optional(std::move(config));
}

bool IsSampled(std::string_view trace_id, double ratio) {
  if (ratio >= 1) return true;
  if (ratio <= 0 || trace_id.size() < kRandomDigits) return false;
  const std::string_view digits = trace_id.substr(trace_id.size() - kRandomDigits);
  std::uint64_t random = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), random, 16);
  return random >= static_cast<std::uint64_t>(std::ldexp(1 - ratio, 56));
}

}  // namespace falconer::app
