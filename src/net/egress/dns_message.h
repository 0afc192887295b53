#pragma once
// DnsMessage: the few parts of the DNS protocol (RFC 1035, 3596) a stub resolver needs: one
// question out, answers with addresses and aliases back.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace falconer::net {

enum class DnsType : std::uint16_t { kA = 1, kCname = 5, kAaaa = 28 };

struct DnsQuestion {
  std::string name;  // lower case, no dot at the end
  DnsType type = DnsType::kA;
  bool operator==(const DnsQuestion&) const = default;
};

struct DnsRecord {
  std::string name;
  DnsType type = DnsType::kA;
  std::string data;  // 4 or 16 bytes; for kCname the other name
};

struct DnsReply {
  enum class Status : std::uint8_t { kOk, kNoSuchName, kFailed };

  std::uint16_t id = 0;
  Status status = Status::kOk;
  bool is_truncated = false;
  DnsQuestion question;
  std::vector<DnsRecord> answers;  // of the three types above only
};

// Fails with kInvalidArgument when the name cannot be asked for (a label too long).
Result<std::string> WriteDnsQuery(std::uint16_t id, const DnsQuestion& question);

// Fails with kNetworkError for what is no whole reply to one question.
Result<DnsReply> ReadDnsReply(std::string_view bytes);

}  // namespace falconer::net
