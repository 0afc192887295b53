#pragma once
// RequestBody: what a body says, as a flat list of fields, whatever form it came in. It judges
// nothing; what cannot be read is said to be so.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::policy {

inline constexpr std::size_t kMaxBodyFields = 512;
inline constexpr std::size_t kMaxBodyBytes = 1 << 20;  // more is not looked at
inline constexpr std::size_t kMaxBodyDepth = 16;

enum class BodyForm : std::uint8_t { kNone, kUrlEncoded, kMultipart, kJson, kText, kBinary };

inline constexpr EnumName<BodyForm> kBodyForms[] = {
    {BodyForm::kNone, "none"}, {BodyForm::kUrlEncoded, "form"}, {BodyForm::kMultipart, "multipart"},
    {BodyForm::kJson, "json"}, {BodyForm::kText, "text"},       {BodyForm::kBinary, "binary"},
};

struct BodyField {
  enum class Kind : std::uint8_t { kText, kNumber, kFile };
  std::string name;   // "items[0].price" in JSON
  std::string value;  // empty for a file
  Kind kind = Kind::kText;
  bool operator==(const BodyField&) const = default;
};

// What a GraphQL document does.
enum class GraphQlUse : std::uint8_t { kNone, kQuery, kMutation, kUnknown };

struct RequestBody {
  BodyForm form = BodyForm::kNone;
  std::vector<BodyField> fields;
  GraphQlUse graphql = GraphQlUse::kNone;
  std::vector<std::string> operations;  // names of GraphQL operations and of their first fields
  bool is_whole = true;                 // false when parts were left out or could not be read
};

RequestBody ReadRequestBody(std::string_view content_type, std::string_view body);

// The text with each "%41" as the byte it stands for.
std::string PercentDecoded(std::string_view text);
// The same of a form, which writes spaces as "+".
std::string FormDecoded(std::string_view text);

// "a=1&b=2" as fields.
std::vector<BodyField> ReadUrlEncoded(std::string_view text);

}  // namespace falconer::policy
