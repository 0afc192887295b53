#include "policy/secrets/secret_terms.h"

#include <algorithm>

#include "base/json/json_reader.h"

namespace falconer::policy {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLongestPage = 1024;

constexpr EnumName<SecretUses> kSecretUses[] = {
    {SecretUses::kMany, "many"},
    {SecretUses::kOnce, "once"},
};

SecretTerms ReadTerms(JsonReader& in) {
  SecretTerms terms{.agents = in.OptionalStrings("agents").value_or(std::vector<std::string>()),
                    .pages = in.OptionalStrings("pages").value_or(std::vector<std::string>())};
  if (const auto end = in.OptionalMilliseconds("expires_at_ms")) terms.expires_at = WallTime(*end);
  terms.uses = in.OptionalEnum("uses", kSecretUses).value_or(SecretUses::kMany);
  terms.used = in.OptionalStrings("used").value_or(std::vector<std::string>());
  terms.is_revoked = in.OptionalBool("revoked").value_or(false);
  terms.lent_from = in.OptionalString("lent_from").value_or("");
  return terms;
}

void PutTexts(json::object& out, std::string_view key, const std::vector<std::string>& texts) {
  if (!texts.empty()) out[key] = json::array(texts.begin(), texts.end());
}

bool MatchesPage(std::string_view page, std::string_view path) {
  if (!page.ends_with('*')) return page == path;
  page.remove_suffix(1);
  return path.starts_with(page);
}

}  // namespace

bool SecretTerms::IsUsed(std::string_view field) const {
  return std::ranges::find(used, field) != used.end();
}

bool SecretTerms::AllowsAgent(std::string_view agent) const {
  return agents.empty() || std::ranges::find(agents, agent) != agents.end();
}

bool SecretTerms::AllowsPage(std::string_view path) const {
  if (pages.empty()) return true;
  return std::ranges::any_of(pages, [&](std::string_view page) { return MatchesPage(page, path); });
}

json::object SecretTerms::ToJson() const {
  json::object out;
  PutTexts(out, "agents", agents);
  PutTexts(out, "pages", pages);
  if (expires_at) {
    out["expires_at_ms"] = std::chrono::floor<milliseconds>(expires_at->time_since_epoch()).count();
  }
  if (uses != SecretUses::kMany) out["uses"] = NameIn(kSecretUses, uses);
  PutTexts(out, "used", used);
  if (is_revoked) out["revoked"] = true;
  if (!lent_from.empty()) out["lent_from"] = lent_from;
  return out;
}

Result<SecretTerms> SecretTerms::FromJson(const json::value& value) {
  return ReadJson(value, "terms", ReadTerms, ErrorCode::kStoreDamaged);
}

Result<WallTime> SecretEnd(WallTime now, std::chrono::seconds life) {
  if (life < std::chrono::seconds(1) || life > kLongestSecretLife) {
    return Fail(ErrorCode::kInvalidArgument, "an ephemeral secret lives between 1 and " +
                                                 std::to_string(kLongestSecretLife.count()) +
                                                 " seconds");
  }
  return std::chrono::floor<milliseconds>(now) + life;
}

Result<void> CheckSecretPage(std::string_view page) {
  const std::string_view path = page.substr(0, page.find('*'));
  const bool is_page = page.starts_with('/') && page.size() <= kLongestPage &&
                       page.size() - path.size() <= 1 &&
                       page.find_first_of(" \t\r\n?#\\") == std::string_view::npos;
  if (is_page) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "\"" + std::string(page) + "\" is no page such as /login or /account/*");
}

}  // namespace falconer::policy
