#pragma once
// Redactor: the one engine that takes out what must not be shown, for logs, ledger, telemetry,
// replay, previews and what a model sees. What is found and what its field is called decide the
// class, the class and the surface decide what is done (payload_class.h).
//
// Deterministic; redacting twice changes nothing more. Any thread may use it.

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "policy/redaction/finding.h"
#include "policy/redaction/known_secrets.h"

namespace falconer::policy {

struct RedactionOptions {
  RedactionLevel level = RedactionLevel::kStandard;
  // Digests and stand-ins are made with it: without it nobody can try values against them.
  std::string digest_key;
};

// How many of each kind were redacted.
class RedactionTally {
 public:
  void Count(FindingKind kind) { ++counts_[static_cast<std::size_t>(kind)]; }
  int operator[](FindingKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  int total() const;
  // {"card":1,"email":2}: only what occurred.
  json::object ToJson() const;

 private:
  std::array<int, kFindingKinds> counts_{};
};

class Redactor {
 public:
  explicit Redactor(RedactionOptions options = {});

  // The secrets in use; replaces what was known before. Takes effect with the next call.
  void SetKnownSecrets(std::shared_ptr<const KnownSecrets> known);

  // Text of any kind: prose, log lines, headers, JSON, form bodies.
  RedactionTally RedactText(Surface surface, std::string& text) const;
  // Every text of a value, by what its field is called; JSON inside of texts too. A reference
  // {"secret":"NAME","field":...} stays: it names a secret and holds none.
  RedactionTally RedactJson(Surface surface, json::value& value) const;
  RedactionTally RedactJson(Surface surface, json::object& object) const;
  // The value of one field, as LogRedactor passes it.
  RedactionTally RedactField(Surface surface, std::string_view name, json::value& value) const;
  // The body of a request, as its content type says (forms, multipart, JSON, GraphQL, text). Bytes
  // that are no text are left out: "[binary, 512 bytes]".
  RedactionTally RedactBody(Surface surface, std::string_view content_type,
                            std::string& body) const;
  // A payload of a class as a whole: dropped, hashed or stood in for where the table says so, else
  // redacted inside.
  RedactionTally RedactPayload(Surface surface, PayloadClass payload, json::value& value) const;

  // What stands in the place of a value that is known by its field.
  std::string Replacement(Surface surface, FindingKind kind, std::string_view value) const;

 private:
  friend class RedactionRun;
  std::shared_ptr<const KnownSecrets> Known() const;
  std::string DigestOf(std::string_view value, std::size_t digits) const;
  std::string Applied(RedactionAction action, FindingKind kind, std::string_view value) const;

  RedactionOptions options_;
  std::atomic<std::shared_ptr<const KnownSecrets>> known_;
};

}  // namespace falconer::policy
