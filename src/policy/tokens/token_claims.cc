#include "policy/tokens/token_claims.h"

#include <algorithm>

#include "base/text.h"
#include "policy/tokens/compact_jws.h"

namespace falconer::policy {
namespace {

// The end of the year 9999.
constexpr std::int64_t kLastTokenTime = 253'402'300'799;
constexpr std::size_t kMostAudiences = 16;
constexpr std::size_t kMostCapabilityWords = 32;

std::unexpected<Error> BadClaim(std::string_view name) {
  return RefuseToken(TokenFault::kBadClaims, name);
}

bool IsClaimText(const json::value& value) {
  const json::string* text = value.if_string();
  return text != nullptr && !text->empty() && text->size() <= kMaxClaimText && !HasControl(*text) &&
         text->find_first_of("\t\r\n") == text->npos;
}

Result<void> ReadAudience(const json::value& value, TokenClaims& out) {
  const json::array* list = value.if_array();
  const bool is_list = list != nullptr && !list->empty() && list->size() <= kMostAudiences &&
                       std::ranges::all_of(*list, IsClaimText);
  if (!is_list && !IsClaimText(value)) return BadClaim("aud");
  if (!is_list) {
    out.audience = {std::string(value.get_string())};
    return {};
  }
  for (const json::value& item : *list) out.audience.emplace_back(item.get_string());
  return {};
}

Result<void> ReadCapabilities(const json::value& value, TokenClaims& out) {
  const json::array* list = value.if_array();
  if (list == nullptr || list->empty() || list->size() > kMostCapabilityWords) {
    return BadClaim("caps");
  }
  for (const json::value& item : *list) {
    const json::string* word = item.if_string();
    if (word == nullptr) return BadClaim("caps");
    const auto capabilities = model::CapabilitiesNamed(*word);
    if (!capabilities) return RefuseToken(TokenFault::kUnknownCapability);
    out.capabilities = out.capabilities | *capabilities;
  }
  return {};
}

Result<void> ReadProof(const json::value& value, TokenClaims& out) {
  const json::string* word = value.if_string();
  const auto proof = word == nullptr ? std::nullopt : ValueIn(kTokenProofs, *word);
  if (!proof) return BadClaim("auth");
  out.proof = *proof;
  return {};
}

template <auto kMember>
Result<void> ReadClaimText(const json::value& value, TokenClaims& out) {
  if (!IsClaimText(value)) return BadClaim("a text is missing or too long");
  using Member = std::remove_reference_t<decltype(out.*kMember)>;
  out.*kMember = Member(std::string(value.get_string()));
  return {};
}

// Whole seconds only: a text, a fraction, a negative or an enormous number each have readers that
// take them for a time far away.
template <auto kMember>
Result<void> ReadClaimTime(const json::value& value, TokenClaims& out) {
  const std::int64_t* seconds = value.if_int64();
  if (seconds == nullptr || *seconds < 0 || *seconds > kLastTokenTime) {
    return RefuseToken(TokenFault::kBadTime);
  }
  out.*kMember = WallTime(std::chrono::seconds(*seconds));
  return {};
}

enum class ClaimNeed : std::uint8_t { kRequired, kOptional };

struct ClaimRow {
  std::string_view name;
  ClaimNeed need;
  Result<void> (*read)(const json::value& value, TokenClaims& out);
};

// "constraints" is not here: reading it takes a currency.
constexpr ClaimRow kClaimRows[] = {
    {"iss", ClaimNeed::kRequired, &ReadClaimText<&TokenClaims::issuer>},
    {"aud", ClaimNeed::kRequired, &ReadAudience},
    {"sub", ClaimNeed::kRequired, &ReadClaimText<&TokenClaims::agent>},
    {"jti", ClaimNeed::kRequired, &ReadClaimText<&TokenClaims::token_id>},
    {"iat", ClaimNeed::kRequired, &ReadClaimTime<&TokenClaims::issued>},
    {"exp", ClaimNeed::kRequired, &ReadClaimTime<&TokenClaims::expires>},
    {"caps", ClaimNeed::kRequired, &ReadCapabilities},
    {"nbf", ClaimNeed::kOptional, &ReadClaimTime<&TokenClaims::not_before>},
    {"tenant", ClaimNeed::kOptional, &ReadClaimText<&TokenClaims::tenant>},
    {"tier", ClaimNeed::kOptional, &ReadClaimText<&TokenClaims::tier>},
    {"plan_id", ClaimNeed::kOptional, &ReadClaimText<&TokenClaims::plan>},
    {"auth", ClaimNeed::kOptional, &ReadProof},
};
constexpr std::string_view kConstraintsClaim = "constraints";

Result<void> ReadClaim(const json::key_value_pair& member, std::string_view currency,
                       TokenClaims& out) {
  const std::string_view name = member.key();
  if (name == kConstraintsClaim) {
    Result<TokenConstraints> constraints = ParseTokenConstraints(member.value(), currency);
    if (!constraints)
      return RefuseToken(TokenFault::kBadConstraints, constraints.error().message());
    out.constraints = *std::move(constraints);
    return {};
  }
  const auto* const row = std::ranges::find(kClaimRows, name, &ClaimRow::name);
  if (row == std::end(kClaimRows)) return RefuseToken(TokenFault::kUnknownClaim);
  return row->read(member.value(), out);
}

Result<void> CheckAllThere(const json::object& payload) {
  for (const ClaimRow& row : kClaimRows) {
    if (row.need == ClaimNeed::kOptional || payload.contains(row.name)) continue;
    return RefuseToken(TokenFault::kBadClaims, std::string(row.name) + " is missing");
  }
  return {};
}

json::value AudienceJson(const std::vector<std::string>& audience) {
  if (audience.size() == 1) return json::value(audience.front());
  return json::array(audience.begin(), audience.end());
}

}  // namespace

Result<TokenClaims> ParseTokenClaims(std::string_view payload, std::string_view default_currency) {
  TRY_ASSIGN(const json::object object, ParseTokenObject(payload, TokenFault::kBadClaims));
  TRY(CheckAllThere(object));
  TokenClaims claims;
  for (const json::key_value_pair& member : object) {
    TRY(ReadClaim(member, default_currency, claims));
  }
  if (claims.expires <= claims.issued) {
    return RefuseToken(TokenFault::kBadTime, "exp is not after iat");
  }
  return claims;
}

std::int64_t ToTokenTime(WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

json::object ToJson(const TokenClaims& claims) {
  json::array words;
  for (const std::string_view name : model::CapabilityNames(claims.capabilities)) {
    words.emplace_back(name);
  }
  json::object out{{"iss", claims.issuer},
                   {"aud", AudienceJson(claims.audience)},
                   {"sub", claims.agent.value()},
                   {"jti", claims.token_id},
                   {"iat", ToTokenTime(claims.issued)},
                   {"exp", ToTokenTime(claims.expires)},
                   {"caps", std::move(words)}};
  if (claims.not_before) out["nbf"] = ToTokenTime(*claims.not_before);
  if (!claims.tenant.empty()) out["tenant"] = claims.tenant.value();
  if (!claims.tier.empty()) out["tier"] = claims.tier;
  if (!claims.plan.empty()) out["plan_id"] = claims.plan.value();
  if (claims.proof != TokenProof::kNone) out["auth"] = NameIn(kTokenProofs, claims.proof);
  json::object constraints = ToJson(claims.constraints);
  if (!constraints.empty()) out[kConstraintsClaim] = std::move(constraints);
  return out;
}

}  // namespace falconer::policy
