#include "net/egress/egress_refusal.h"

#include <algorithm>

#include <boost/beast/http/status.hpp>

namespace falconer::net {
namespace {

namespace http = boost::beast::http;

constexpr int kProxyAuthenticationRequired = 407;

// Reasons come from rules that others write; nothing in them may end a header field.
std::string OneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

std::string BodyOf(const EgressRefusal& refusal) {
  std::string text = "Falconer did not let this request through: " + OneLine(refusal.reason);
  if (!refusal.decision.empty()) text += " (decision " + OneLine(refusal.decision) + ")";
  return text + "\n";
}

}  // namespace

std::unexpected<EgressRefusal> Refuse(int status, std::string_view reason) {
  return std::unexpected(EgressRefusal{.status = status, .reason = std::string(reason)});
}

EgressRefusal RefusalBy(const EgressVerdict& verdict) {
  return {.status = 403,
          .reason = verdict.reason.empty() ? "refused" : verdict.reason,
          .rule = verdict.rule,
          .decision = verdict.id};
}

EgressRefusal FailureBecause(const Error& error, std::string reason) {
  const bool is_late = error.code() == ErrorCode::kTimeout;
  const bool is_off = error.code() == ErrorCode::kCancelled;
  return {.status = is_late ? 504 : 502,
          .reason = is_late ? reason + "_timeout" : std::move(reason),
          .outcome = is_off ? EgressOutcome::kCancelled : EgressOutcome::kFailed};
}

std::string RefusalText(const EgressRefusal& refusal, RefusalBody body, RefusalEnd end) {
  const std::string page = BodyOf(refusal);
  const auto status = static_cast<http::status>(refusal.status);
  std::string out = "HTTP/1.1 " + std::to_string(refusal.status) + " " +
                    std::string(http::obsolete_reason(status)) + "\r\n";
  if (refusal.status == kProxyAuthenticationRequired) {
    out += "Proxy-Authenticate: Basic realm=\"falconer\"\r\n";
  }
  out += "X-Falconer-Refused: " + OneLine(refusal.reason) + "\r\n";
  if (!refusal.decision.empty())
    out += "X-Falconer-Decision: " + OneLine(refusal.decision) + "\r\n";
  out +=
      "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"
      "Content-Security-Policy: sandbox; default-src 'none'\r\n"
      "X-Content-Type-Options: nosniff\r\nContent-Length: ";
  out += std::to_string(page.size()) + "\r\n";
  if (end == RefusalEnd::kCloseConnection) out += "Connection: close\r\n";
  out += "\r\n";
  if (body == RefusalBody::kSend) out += page;
  return out;
}

}  // namespace falconer::net
