#pragma once
// RedactionRun: one redaction on its way: where it goes, what it knows, what it has counted. Lives
// for the time of one call of the Redactor.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "policy/redaction/field_names.h"
#include "policy/redaction/redactor.h"

namespace falconer::policy {

struct MultipartBody;
struct MultipartPart;

class RedactionRun {
 public:
  RedactionRun(const Redactor& redactor, Surface surface)
      : redactor_(redactor),
        surface_(surface),
        known_(redactor.Known()),
        looks_at_numbers_(surface != Surface::kLedger) {}

  void Text(std::string& text);
  void Value(json::value& value);
  void Object(json::object& object);
  void Field(std::string_view name, json::value& value);
  void Body(std::string_view content_type, std::string& body);

  const RedactionTally& tally() const { return tally_; }

 private:
  using Meaning = std::optional<FieldMeaning>;

  void Walk(json::value& value, const Meaning& meaning);
  void WalkObject(json::object& object, const Meaning& meaning);
  void WalkString(json::string& text, const Meaning& meaning);
  void WalkNumber(json::value& value, const Meaning& meaning);
  void Keys(json::object& object);
  // A whole value whose field says what it is.
  std::string Whole(const FieldMeaning& meaning, std::string_view value);
  // The text with its findings replaced; nothing when there are none.
  std::optional<std::string> Redacted(std::string_view text);
  std::optional<std::string> RedactedOnce(std::string_view text);
  std::optional<std::string> RedactedJson(std::string_view text);
  bool IsWanted(const Finding& finding) const;
  Findings Find(std::string_view text) const;
  void FormBody(std::string& body);
  // The body, which has these parts, put together again.
  std::string Parts(const MultipartBody& read, std::string_view mark, std::string_view body);
  std::string Between(std::string_view text, std::string_view mark);
  std::string Content(const MultipartPart& part);

  const Redactor& redactor_;
  Surface surface_;
  std::shared_ptr<const KnownSecrets> known_;
  RedactionTally tally_;
  const bool looks_at_numbers_;
  // Within what a page or a caller said.
  bool is_foreign_ = false;
  int depth_ = 0;  // of JSON in texts in JSON
};

}  // namespace falconer::policy
