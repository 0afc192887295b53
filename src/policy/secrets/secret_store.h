#pragma once
// SecretStore: turns a reference into a value, for the one place that types it into a page. A
// secret is given out only for a host it is bound to, and only after the redactor knows it: from
// then on it can appear nowhere.
//
// One thread at a time; sources may block, so this belongs on a thread of its own.

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "policy/redaction/redactor.h"
#include "policy/secrets/secret_reference.h"
#include "policy/secrets/secret_source.h"

namespace falconer::policy {

class SecretStore {
 public:
  using WallTime = std::chrono::system_clock::time_point;

  // The redactor must outlive the store.
  explicit SecretStore(Redactor& redactor) : redactor_(redactor) {}

  // Sources are asked in the order in which they are added. What the source can tell at once is
  // made known to the redactor; fails like SecretSource::Known. A source that fails is there all
  // the same: passed over, the next might give another value.
  Result<void> Add(std::unique_ptr<SecretSource> source);

  // The value for a page of this host. The field "totp" is the code of now; its seed is never given
  // out. kNotFound for no such secret or field, kSecurityDomainBlock for a host that is not the
  // secret's, else what the source says.
  Result<SecretText> Resolve(const SecretReference& reference, const Host& host, std::uint16_t port,
                             WallTime now);

  // Names, hosts and fields of every source; never values.
  Result<std::vector<SecretInfo>> List();

 private:
  struct KnownValue {
    std::string name;
    SecretText value;
  };

  static bool WantsCode(const Secret& secret, const std::string& field);
  Result<Secret> Find(const std::string& name);
  Result<SecretText> ValueOf(const Secret& secret, const std::string& field, WallTime now) const;
  // The redactor is told only of what is new.
  enum class News : std::uint8_t { kNone, kSome };
  News Remember(const Secret& secret);
  News RememberCode(const Secret& secret, const SecretText& code);
  void TellRedactor();

  Redactor& redactor_;
  std::vector<std::unique_ptr<SecretSource>> sources_;
  std::vector<KnownValue> known_;
  std::deque<KnownValue> codes_;  // the last one-time codes: they are secrets for a minute
};

}  // namespace falconer::policy
