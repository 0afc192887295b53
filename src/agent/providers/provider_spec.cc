#include "agent/providers/provider_spec.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/url.h"

namespace falconer::agent {
namespace {

// What a kind means when a row leaves it out.
struct KindDefaults {
  ProviderKind kind;
  std::string_view url;
  std::string_view model;
  bool needs_key;  // at that address
};

constexpr KindDefaults kKindDefaults[] = {
    {ProviderKind::kOpenAiChat, "https://api.openai.com/v1", "gpt-4.1-mini", true},
    {ProviderKind::kOpenAiResponses, "https://api.openai.com/v1", "gpt-4.1-mini", true},
    {ProviderKind::kAnthropic, "https://api.anthropic.com", "claude-3-5-sonnet-latest", true},
    {ProviderKind::kOllama, "http://127.0.0.1:11434", "llama3.1:8b-instruct", false},
};

constexpr Bounds<std::size_t> kWordLength{1, 128};
constexpr Bounds<double> kPrices{0, 100'000};
constexpr Bounds<std::int64_t> kContexts{0, 100'000'000};
constexpr Bounds<std::int64_t> kTimeouts{100, 3'600'000};
constexpr Bounds<std::int64_t> kAnswerBytes{1024, std::int64_t{256} << 20};

bool IsProviderName(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return IsLetterOrDigit(c) || c == '_' || c == '-' || c == '.'; });
}

// An address that only says where: what stands before an @ would be a key.
bool IsProviderUrl(const std::string& url) {
  const model::UrlParts parts = model::SplitUrl(url);
  if (parts.scheme != "http" && parts.scheme != "https") return false;
  return !parts.host.empty() && url.find_first_of("@?# \t\r\n") == std::string::npos;
}

std::optional<policy::SecretReference> ReadKey(JsonReader& in) {
  const std::optional<json::value> key = in.OptionalRawValue("key");
  if (!key) return std::nullopt;
  // A key that was written here by mistake must not come out in the message.
  auto reference =
      key->is_object() ? policy::ParseSecretReference(*key) : Fail(ErrorCode::kInvalidSetting, "");
  if (reference) return *std::move(reference);
  in.Reject("key", "expected {\"secret\": \"NAME\"}: a key is named, never written here");
  return std::nullopt;
}

TokenPrice ReadPrice(JsonReader& in) {
  TokenPrice price;
  price.input = in.OptionalNumber("price_in", kPrices).value_or(0);
  price.output = in.OptionalNumber("price_out", kPrices).value_or(0);
  price.cached_input = in.OptionalNumber("price_cached", kPrices).value_or(price.input);
  return price;
}

void ReadPlace(JsonReader& in, ProviderSpec& out) {
  const auto* defaults = std::ranges::find(kKindDefaults, out.kind, &KindDefaults::kind);
  const std::optional<std::string> url = in.OptionalString("url");
  out.url = url.value_or(std::string(defaults->url));
  while (out.url.ends_with('/')) out.url.pop_back();
  out.model = in.OptionalString("model", kWordLength).value_or(std::string(defaults->model));
  out.key = ReadKey(in);
  if (!IsProviderUrl(out.url))
    in.Reject("url", "expected http(s)://host[:port][/path], without a user, query or fragment");
  if (!url && defaults->needs_key && !out.key) in.Reject("key", "is needed at " + out.url);
}

void ReadTimes(JsonReader& in, ProviderSpec& out) {
  out.first_byte = in.OptionalMilliseconds("first_byte_ms", kTimeouts).value_or(out.first_byte);
  out.quiet = in.OptionalMilliseconds("quiet_ms", kTimeouts).value_or(out.quiet);
  out.timeout = in.OptionalMilliseconds("timeout_ms", kTimeouts).value_or(out.timeout);
}

ProviderSpec ReadProvider(JsonReader& in) {
  ProviderSpec out{.name = in.String("name", kWordLength),
                   .kind = in.Enum("kind", kProviderKinds),
                   .url = {},
                   .model = {}};
  if (!IsProviderName(out.name)) in.Reject("name", "expected letters, digits, \"_\", \"-\", \".\"");
  ReadPlace(in, out);
  ReadTimes(in, out);
  out.price = ReadPrice(in);
  out.sees = in.OptionalBool("vision").value_or(false);
  out.calls_tools = in.OptionalBool("tools").value_or(true);
  out.reasons = in.OptionalBool("reasoning").value_or(false);
  out.context = in.OptionalInteger("context", kContexts).value_or(0);
  out.max_answer_bytes =
      in.OptionalInteger("max_answer_bytes", kAnswerBytes).value_or(out.max_answer_bytes);
  out.authorities = in.OptionalString("ca").value_or("");
  return out;
}

}  // namespace

Result<std::vector<ProviderSpec>> ParseProviders(const json::array& rows) {
  constexpr auto kCode = ErrorCode::kInvalidSetting;
  if (rows.size() > kMaxProviders)
    return Fail(kCode, "agent.providers: at most " + std::to_string(kMaxProviders));
  std::vector<ProviderSpec> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string path = "agent.providers[" + std::to_string(i) + "]";
    TRY_ASSIGN(ProviderSpec spec, ReadJson(rows[i], path, ReadProvider, kCode));
    if (std::ranges::find(out, spec.name, &ProviderSpec::name) != out.end())
      return Fail(kCode, path + ".name: " + spec.name + " is there twice");
    out.push_back(std::move(spec));
  }
  return out;
}

std::int64_t CostMicros(const TokenPrice& price, const TokenUsage& usage) {
  const auto fresh = std::max<std::int64_t>(0, usage.input - usage.cached_input);
  // A price of a million tokens is that of one in millionths.
  const double micros = static_cast<double>(fresh) * price.input +
                        static_cast<double>(usage.cached_input) * price.cached_input +
                        static_cast<double>(usage.output) * price.output;
  return static_cast<std::int64_t>(std::ceil(micros));
}

}  // namespace falconer::agent
