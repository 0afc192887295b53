#include "policy/redaction/key_prefixes.h"

#include <algorithm>

#include "base/text.h"
#include "policy/redaction/text_class.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kAny = 512;

// Longer prefixes stand before the shorter ones that begin them.
constexpr KeyPrefix kPrefixTable[] = {
    {"AWS", "AKIA", 16, 16},
    {"AWS", "ASIA", 16, 16},
    {"AWS", "ABIA", 16, 16},
    {"AWS", "ACCA", 16, 16},
    {"Google", "AIza", 35, 35},
    {"Google", "GOCSPX-", 24, 40},
    {"Google", "ya29.", 20, kAny, "."},
    {"Google", "1//0", 30, kAny},
    {"GitHub", "github_pat_", 22, 128},
    {"GitHub", "ghp_", 30, 255},
    {"GitHub", "gho_", 30, 255},
    {"GitHub", "ghu_", 30, 255},
    {"GitHub", "ghs_", 30, 255},
    {"GitHub", "ghr_", 30, 255},
    {"GitLab", "glpat-", 20, 128, "."},
    {"GitLab", "glptt-", 20, 128},
    {"GitLab", "gldt-", 20, 128},
    {"GitLab", "glrt-", 20, 128, "."},
    {"GitLab", "glcbt-", 20, 128},
    {"GitLab", "GR1348941", 20, 40},
    {"Slack", "xoxb-", 10, 255},
    {"Slack", "xoxp-", 10, 255},
    {"Slack", "xoxa-", 10, 255},
    {"Slack", "xoxr-", 10, 255},
    {"Slack", "xoxs-", 10, 255},
    {"Slack", "xoxe-", 10, 255},
    {"Slack", "xoxe.", 10, 255, "."},
    {"Slack", "xapp-", 10, 255},
    {"Stripe", "sk_live_", 10, 255},
    {"Stripe", "sk_test_", 10, 255},
    {"Stripe", "rk_live_", 10, 255},
    {"Stripe", "rk_test_", 10, 255},
    {"Stripe", "whsec_", 20, 128, "+/="},
    {"Anthropic", "sk-ant-", 20, 255},
    {"OpenAI", "sk-proj-", 20, 255},
    {"OpenAI", "sk-svcacct-", 20, 255},
    {"OpenAI", "sk-", 20, 255},
    {"Groq", "gsk_", 40, 128},
    {"Hugging Face", "hf_", 30, 64},
    {"Replicate", "r8_", 30, 64},
    {"npm", "npm_", 36, 64},
    {"PyPI", "pypi-AgE", 40, kAny},
    {"RubyGems", "rubygems_", 32, 96},
    {"Docker", "dckr_pat_", 20, 64},
    {"DigitalOcean", "dop_v1_", 40, 96},
    {"DigitalOcean", "doo_v1_", 40, 96},
    {"SendGrid", "SG.", 40, 96, "."},
    {"Brevo", "xkeysib-", 40, 128},
    {"Shopify", "shpat_", 32, 64},
    {"Shopify", "shpss_", 32, 64},
    {"Shopify", "shpca_", 32, 64},
    {"Square", "sq0atp-", 20, 64},
    {"Square", "sq0csp-", 40, 64},
    {"Databricks", "dapi", 32, 40},
    {"Vault", "hvs.", 20, 255},
    {"Vault", "hvb.", 20, 255},
    {"Atlassian", "ATATT3", 40, kAny, "="},
    {"Linear", "lin_api_", 30, 64},
    {"Notion", "ntn_", 40, 64},
    {"Figma", "figd_", 30, 64},
    {"Postman", "PMAK-", 40, 96},
    {"Grafana", "glsa_", 32, 64},
    {"Grafana", "glc_ey", 32, kAny},
    {"New Relic", "NRAK-", 27, 32},
    {"Tailscale", "tskey-", 20, 96},
    {"age", "AGE-SECRET-KEY-1", 50, 64},
    {"Doppler", "dp.pt.", 40, 64},
    {"1Password", "ops_ey", 100, 2048},
};

constexpr TripleFilter kPrefixFilter = [] {
  TripleFilter filter;
  for (const KeyPrefix& row : kPrefixTable) filter.Add(row.prefix[0], row.prefix[1], row.prefix[2]);
  return filter;
}();

// A word in plain language has no digit ("sk-learn-something-longer-than-this").
bool LooksIssued(std::string_view rest) {
  return std::ranges::any_of(rest, IsDigit);
}

std::size_t LengthOfRest(const KeyPrefix& row, std::string_view rest) {
  const auto belongs = [&](char c) { return IsKeyChar(c) || row.also.contains(c); };
  const auto end = std::ranges::find_if_not(rest, belongs);
  auto size = static_cast<std::size_t>(end - rest.begin());
  // The stop of a sentence is not part of a key.
  while (size > 0 && rest[size - 1] == '.') --size;
  return size;
}

}  // namespace

std::span<const KeyPrefix> AllKeyPrefixes() {
  return kPrefixTable;
}

const TripleFilter& KeyBeginnings() {
  return kPrefixFilter;
}

std::size_t KeyLengthAt(std::string_view text) {
  for (const KeyPrefix& row : kPrefixTable) {
    if (!text.starts_with(row.prefix)) continue;
    const std::string_view rest = text.substr(row.prefix.size(), row.most + 1);
    const std::size_t size = LengthOfRest(row, rest);
    const bool fits = row.least <= size && size <= row.most && LooksIssued(rest.substr(0, size));
    if (fits) return row.prefix.size() + size;
  }
  return 0;
}

}  // namespace falconer::policy
