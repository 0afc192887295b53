#include "policy/redaction/redactor.h"

#include <algorithm>
#include <numeric>

#include "base/hmac.h"
#include "base/utf8.h"
#include "policy/redaction/field_names.h"
#include "policy/redaction/mask.h"
#include "policy/redaction/redaction_run.h"
#include "policy/redaction/text_class.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kHashDigits = 32;
constexpr std::size_t kTokenDigits = 12;

}  // namespace

int RedactionTally::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), 0);
}

json::object RedactionTally::ToJson() const {
  json::object out;
  for (const FindingTraits& row : AllFindingKinds()) {
    if ((*this)[row.kind] > 0) out[row.name] = (*this)[row.kind];
  }
  return out;
}

Redactor::Redactor(RedactionOptions options) : options_(std::move(options)) {
}

void Redactor::SetKnownSecrets(std::shared_ptr<const KnownSecrets> known) {
  known_.store(std::move(known));
}

std::shared_ptr<const KnownSecrets> Redactor::Known() const {
  return known_.load();
}

std::string Redactor::DigestOf(std::string_view value, std::size_t digits) const {
  return HmacSha256Hex(options_.digest_key, value).substr(0, digits);
}

std::string Redactor::Applied(RedactionAction action, FindingKind kind,
                              std::string_view value) const {
  const std::string name(TraitsOf(kind).name);
  switch (action) {
    case RedactionAction::kAllow:
      return std::string(value);
    case RedactionAction::kMask:
      return MaskOf(kind, value);
    case RedactionAction::kHash:
      return "[" + name + "#" + DigestOf(value, kHashDigits) + "]";
    case RedactionAction::kDrop:
      return "[" + name + " dropped]";
    case RedactionAction::kTokenize:
      return "[" + name + "~" + DigestOf(value, kTokenDigits) + "]";
  }
  return std::string(kStars);
}

std::string Redactor::Replacement(Surface surface, FindingKind kind, std::string_view value) const {
  if (IsMasked(value)) return std::string(value);
  return Applied(ActionFor(surface, TraitsOf(kind).payload, options_.level), kind, value);
}

RedactionTally Redactor::RedactText(Surface surface, std::string& text) const {
  RedactionRun run(*this, surface);
  run.Text(text);
  return run.tally();
}

RedactionTally Redactor::RedactJson(Surface surface, json::value& value) const {
  RedactionRun run(*this, surface);
  run.Value(value);
  return run.tally();
}

RedactionTally Redactor::RedactJson(Surface surface, json::object& object) const {
  RedactionRun run(*this, surface);
  run.Object(object);
  return run.tally();
}

RedactionTally Redactor::RedactField(Surface surface, std::string_view name,
                                     json::value& value) const {
  RedactionRun run(*this, surface);
  run.Field(name, value);
  return run.tally();
}

RedactionTally Redactor::RedactBody(Surface surface, std::string_view content_type,
                                    std::string& body) const {
  RedactionRun run(*this, surface);
  run.Body(content_type, body);
  return run.tally();
}

RedactionTally Redactor::RedactPayload(Surface surface, PayloadClass payload,
                                       json::value& value) const {
  const RedactionAction action = ActionFor(surface, payload, options_.level);
  const std::string name(NameIn(kPayloadClasses, payload));
  switch (action) {
    case RedactionAction::kAllow:
      return RedactJson(surface, value);
    case RedactionAction::kHash:
      value = "[" + name + "#" + DigestOf(json::serialize(value), kHashDigits) + "]";
      return {};
    case RedactionAction::kTokenize:
      value = "[" + name + "~" + DigestOf(json::serialize(value), kTokenDigits) + "]";
      return {};
    case RedactionAction::kMask:
      value = kStars;
      return {};
    case RedactionAction::kDrop:
      value = "[" + name + " dropped]";
      return {};
  }
  return {};
}

}  // namespace falconer::policy
