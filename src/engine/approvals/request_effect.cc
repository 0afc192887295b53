// What a request does, in words.

#include <algorithm>
#include <fmt/format.h>

#include "base/utf8.h"
#include "engine/approvals/request_preview.h"
#include "model/url.h"

namespace falconer::engine {
namespace {

using C = model::Capability;

constexpr std::size_t kLongestPath = 120;

// {amount} is " for 12.50 USD" or nothing; {method}, {host} and {path} are the request's.
struct EffectRow {
  C needs;
  std::string_view code;  // beginning of a reason's; "" for any
  std::string_view words;
};

// Gravest first: the first row that fits speaks.
constexpr EffectRow kEffectRows[] = {
    {C::kPurchase, "transfer_", "Moves money{amount} at {host}"},
    {C::kPurchase, "", "Buys something{amount} at {host}"},
    {C::kDelete, "cancel_", "Cancels {path} at {host}"},
    {C::kDelete, "", "Deletes {path} at {host}"},
    {C::kAdmin, "", "Changes who may do what at {host}"},
    {C::kAuth, "new_password_", "Changes a password at {host}"},
    {C::kAuth, "sign_up_", "Opens an account at {host}"},
    {C::kAuth, "log_out_", "Logs out of {host}"},
    {C::kAuth, "", "Logs in to {host}, or changes how that is done"},
    {C::kUpload, "", "Sends a file to {host}"},
    {C::kExport, "", "Exports data from {host}"},
    {C::kDownload, "", "Downloads a file from {host}"},
    {C::kScript, "", "Runs a script in a page of {host}"},
    {C::kSubmit, "publish_", "Publishes something at {host}"},
    {C::kSubmit, "subscribe_", "Subscribes to something at {host}"},
    {C::kSubmit, "send_", "Sends a message at {host}"},
    {C::kSubmit, "", "Sends a form to {host}{path}"},
    {C::kWrite, "", "Changes something at {host} ({method} {path})"},
};
constexpr std::string_view kPlainEffect = "Asks {host} for {path} ({method})";

// What else leaves with it.
struct CompanyRow {
  C needs;
  std::string_view words;
};
constexpr CompanyRow kCompany[] = {
    {C::kUpload, "a file leaves with it"},
    {C::kAuth, "a password or a code leaves with it"},
    {C::kPii, "personal data leave with it"},
};

std::string PathText(const std::string& path) {
  if (path.size() <= kLongestPath) return path;
  return std::string(Utf8Prefix(path, kLongestPath)) + "…";
}

bool HasCode(const policy::Risk& risk, std::string_view beginning) {
  return beginning.empty() || std::ranges::any_of(risk.reasons, [&](const policy::RiskReason& r) {
           return r.code.starts_with(beginning);
         });
}

}  // namespace

std::string EffectOf(std::string_view method, std::string_view url, const policy::Risk& risk) {
  const auto* row = std::ranges::find_if(kEffectRows, [&](const EffectRow& candidate) {
    return risk.capabilities.Contains(candidate.needs) && HasCode(risk, candidate.code);
  });
  const model::UrlParts parts = model::SplitUrl(url);
  const std::string port = parts.port.empty() ? "" : ":" + parts.port;
  const std::string amount = risk.amount ? " for " + risk.amount->ToText() : "";
  const bool has_row = row != std::end(kEffectRows);
  std::string out =
      fmt::format(fmt::runtime(has_row ? row->words : kPlainEffect), fmt::arg("amount", amount),
                  fmt::arg("method", method), fmt::arg("host", parts.host + port),
                  fmt::arg("path", PathText(parts.path)));
  for (const CompanyRow& company : kCompany) {
    const bool is_told = has_row && row->needs == company.needs;
    if (!is_told && risk.capabilities.Contains(company.needs))
      out += fmt::format("; {}", company.words);
  }
  return out;
}

}  // namespace falconer::engine
