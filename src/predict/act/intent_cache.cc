#include "predict/act/intent_cache.h"

#include <set>

#include "base/hex.h"
#include "base/log.h"
#include "base/sha256.h"
#include "base/text.h"
#include "predict/act/ranker.h"

namespace falconer::predict {
namespace {

constexpr Bounds<std::size_t> kHashSize = {64, 64};
constexpr Bounds<std::size_t> kWordSize = {0, 256};

CachedIntent ReadCachedIntent(JsonReader& in) {
  CachedIntent out;
  in.Integer("version", {kIntentVersion, kIntentVersion});
  out.step.id = "intent";
  out.step.intent = in.String("intent");
  out.step.contract["action_spec"] = in.RawObject("action_spec");
  if (const auto element = in.OptionalRawValue("element")) {
    auto read = model::Fingerprint::FromJson(*element, "element");
    if (!read) {
      in.Reject(std::move(read).error());
    } else {
      out.step.element = *std::move(read);
    }
  }
  out.elements_hash = in.String("elements_hash", kHashSize);
  out.turn = in.OptionalString("turn", kWordSize).value_or("");
  out.ranker = in.OptionalString("ranker", kWordSize).value_or("");
  out.score = in.OptionalNumber("score", {0, 1}).value_or(0);
  out.at_ms =
      in.OptionalInteger("at_ms", {0, std::numeric_limits<std::int64_t>::max()}).value_or(0);
  return out;
}

std::string WithNumbersMasked(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (!IsDigit(c)) {
      out += c;
    } else if (out.empty() || out.back() != '#') {
      out += '#';
    }
  }
  return out;
}

}  // namespace

json::object CachedIntent::ToJson() const {
  const json::value* spec = step.contract.if_contains("action_spec");
  json::object out{{"version", kIntentVersion},
                   {"intent", step.intent},
                   {"action_spec", spec == nullptr ? json::value(json::object()) : *spec},
                   {"elements_hash", elements_hash},
                   {"turn", turn},
                   {"ranker", ranker},
                   {"score", score},
                   {"at_ms", at_ms}};
  if (step.element) out["element"] = step.element->ToJson();
  return out;
}

Result<CachedIntent> CachedIntent::FromJson(const json::value& value) {
  return ReadJson(value, "intent", ReadCachedIntent);
}

std::string IntentKey(const IntentWords& words, const IntentPlace& place) {
  const json::array key{words.known_as, place.page, place.environment, kIntentVersion,
                        kRankerVersion};
  return Sha256Hex(json::serialize(key));
}

std::string ElementsHash(const std::vector<engine::SeenElement>& seen) {
  std::set<std::string> lines;
  for (const engine::SeenElement& one : seen) {
    const model::Fingerprint& element = one.fingerprint;
    lines.insert(element.frame + "\n" + element.role + "\n" + WithNumbersMasked(element.name));
  }
  Sha256 hash;
  for (const std::string& line : lines) hash.Add(line).Add(std::string_view("\0", 1));
  return ToHex(hash.Finish());
}

std::int64_t IntentCache::NowMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock_.WallNow().time_since_epoch())
      .count();
}

Task<Result<std::optional<CachedIntent>>> IntentCache::Find(TenantId tenant, std::string key) {
  CO_TRY_ASSIGN(auto found, co_await store_.FindIntent(tenant, key));
  if (!found) co_return std::nullopt;
  const auto value = ParseJson(found->document);
  auto read = value ? CachedIntent::FromJson(*value) : Fail(value.error());
  if (read) {
    found->used_ms = NowMs();
    CO_TRY(co_await store_.PutIntent(tenant, *std::move(found), kMostIntents));
    co_return std::optional(*std::move(read));
  }
  LOG(warn, "predict.intent_unreadable", {"key", key}, {"why", Describe(read.error())});
  CO_TRY(co_await store_.DropIntent(std::move(tenant), std::move(key)));
  co_return std::nullopt;
}

Task<Result<void>> IntentCache::Put(TenantId tenant, std::string key, CachedIntent intent) {
  intent.at_ms = NowMs();
  store::IntentDocument document{.key = std::move(key),
                                 .version = kIntentVersion,
                                 .document = json::serialize(intent.ToJson()),
                                 .used_ms = intent.at_ms};
  co_return co_await store_.PutIntent(std::move(tenant), std::move(document), kMostIntents);
}

Task<Result<void>> IntentCache::Drop(TenantId tenant, std::string key) {
  return store_.DropIntent(std::move(tenant), std::move(key));
}

}  // namespace falconer::predict
