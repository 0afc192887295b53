#pragma once
// DomainRules: which hosts may be visited, framed, asked and downloaded from. Nothing is allowed
// that no rule allows; deny wins; what is not on the public internet must be named.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "policy/host_pattern.h"

namespace falconer::policy {

// What a URL is about to be used for.
enum class UseKind : std::uint8_t {
  kNavigate,
  kConnect,  // subresources, fetches, WebSockets, form posts
  kRedirect,
  kFrame,
  kPopup,
  kDownload,
};

inline constexpr EnumName<UseKind> kUseKinds[] = {
    {UseKind::kNavigate, "navigate"}, {UseKind::kConnect, "connect"},
    {UseKind::kRedirect, "redirect"}, {UseKind::kFrame, "frame"},
    {UseKind::kPopup, "popup"},       {UseKind::kDownload, "download"},
};

inline constexpr std::size_t kUseKindCount = std::size(kUseKinds);

struct DomainVerdict {
  bool allowed = false;
  std::string rule;    // the pattern or the scheme rule that decided; "" when none matched
  std::string reason;  // a stable word: "allowed_by_rule", "no_allow_rule", ...
  bool operator==(const DomainVerdict&) const = default;
};

// The patterns of one use, as configured.
struct HostLists {
  std::vector<std::string> allow;
  std::vector<std::string> deny;
};

// A use without lists of its own follows those of navigate.
struct DomainConfig {
  HostLists navigate;
  std::array<std::optional<HostLists>, kUseKindCount> other;  // by UseKind; [kNavigate] is unused
};

class DomainRules {
 public:
  // Allows nothing.
  DomainRules();
  // Fails with kInvalidArgument, naming the list and the pattern.
  static Result<DomainRules> Create(const DomainConfig& config);
  // {"navigate": {"allow": [...], "deny": [...]}, "connect"?: ..., ...}; strict.
  static Result<DomainRules> Parse(const json::value& value);

  // What Parse reads, and the SHA-256 of its canonical form in hex: which rules these are.
  const json::object& content() const { return content_; }
  const std::string& digest() const { return digest_; }

  // Whether `url` may be used so. `initiator` is the URL of the page that asks, "" when nobody
  // but the caller does; data: and blob: are as good as the page they belong to.
  DomainVerdict Decide(UseKind use, std::string_view url, std::string_view initiator) const;

  // Whether anything may go to the host at all: it may when any use allows it. `host` is as in a
  // URL; whoever opens connections asks this, without knowing what they are for.
  DomainVerdict DecideHost(std::string_view host, std::uint16_t port) const;
  // Whether a connection for the host may go to an address that its name leads to:
  //
  //   a public address                        yes, unless a use that allows the host denies it
  //   another one that the rules name         when they mean the host as well, not only by "*"
  //   loopback or a private network           for names that can be nowhere else (localhost,
  //   db.internal) everything else, metadata services ...  no
  //
  // So a name that somebody else runs leads nowhere inside by its own word.
  DomainVerdict DecideAddress(std::string_view host, std::uint16_t port,
                              const IpAddress& address) const;

 private:
  struct Lists {
    std::vector<HostPattern> allow;
    std::vector<HostPattern> deny;
  };

  static Result<Lists> Compile(std::string_view use, const HostLists& lists);
  const Lists& ListsOf(UseKind use) const;
  // Those that differ, navigate's first.
  std::vector<const Lists*> EveryList() const;
  static DomainVerdict DecideIn(const Lists& lists, const Host& host, std::uint16_t port);
  bool MayLeadInside(const Host& host, std::uint16_t port, const Host& place) const;
  DomainVerdict DecideWeb(UseKind use, std::string_view url) const;
  DomainVerdict DecideBlob(UseKind use, std::string_view url) const;
  DomainVerdict DecideInline(std::string_view initiator) const;

  Lists navigate_;
  std::array<std::optional<Lists>, kUseKindCount> other_;
  json::object content_;
  std::string digest_;
};

}  // namespace falconer::policy
