#pragma once
// SecretStore: turns a reference into a value, for the one place that types it into a page. A
// secret is given out only for a host it is bound to and as its terms allow, and only after the
// redactor knows it: from then on it can appear nowhere.
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
#include "policy/secrets/secret_use.h"

namespace falconer::policy {

class SecretStore {
 public:
  // The redactor must outlive the store.
  explicit SecretStore(Redactor& redactor) : redactor_(redactor) {}

  // Sources are asked in the order in which they are added. What the source can tell at once is
  // made known to the redactor; fails like SecretSource::Known. A source that fails is there all
  // the same: passed over, the next might give another value.
  Result<void> Add(std::unique_ptr<SecretSource> source);

  // The value for this document and this agent. The field "totp" is the code of now; its seed is
  // never given out. A field that is given out once is used up. kNotFound for no such secret or
  // field, else as CheckFieldUse and the source say.
  Result<SecretText> Resolve(const SecretReference& reference, const SecretDemand& demand,
                             WallTime now);

  // Names, hosts and fields of every source; never values.
  Result<std::vector<SecretInfo>> List();

 private:
  struct KnownValue {
    std::string name;
    SecretText value;
  };

  struct Found {
    SecretSource* source;
    Secret secret;
  };

  static bool WantsCode(const Secret& secret, const std::string& field);
  // The field that a reference means. kNotFound.
  static Result<const SecretField*> FieldFor(const Secret& secret, const std::string& field);
  Result<Found> Find(const std::string& name);
  // What the field holds, used up where it is given out once.
  static Result<SecretText> Take(const Found& found, const SecretField& field,
                                 const SecretDemand& demand, WallTime now);
  // The redactor is told only of what is new.
  enum class News : std::uint8_t { kNone, kSome };
  News Remember(const Secret& secret);
  News RememberField(const std::string& name, std::string_view field, const SecretText& value);
  News RememberCode(const Secret& secret, const SecretText& code);
  void TellRedactor();

  Redactor& redactor_;
  std::vector<std::unique_ptr<SecretSource>> sources_;
  std::vector<KnownValue> known_;
  std::deque<KnownValue> codes_;  // the last one-time codes: they are secrets for a minute
};

}  // namespace falconer::policy
