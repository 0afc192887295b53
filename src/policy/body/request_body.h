#pragma once
// RequestBody: what a body says, as a flat list of fields, whatever form it came in. It judges
// nothing; what cannot be read is said to be so. Servers differ in what they take, so a body is
// read in every way in which it can be: what is added to it may add fields, and hides none.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "policy/body/graphql_scan.h"

namespace falconer::policy {

inline constexpr std::size_t kMaxBodyFields = 8192;
// More of a text is not looked at. Parts of multipart bodies may be longer.
inline constexpr std::size_t kMaxBodyBytes = 4 << 20;
inline constexpr std::size_t kMaxBodyDepth = 64;

enum class BodyForm : std::uint8_t { kNone, kUrlEncoded, kMultipart, kJson, kText, kBinary };

struct BodyField {
  enum class Kind : std::uint8_t { kText, kNumber, kFile };
  std::string name;   // "items[0].price" in JSON
  std::string value;  // empty for a file
  Kind kind = Kind::kText;
  bool operator==(const BodyField&) const = default;
};

struct RequestBody {
  BodyForm form = BodyForm::kNone;
  std::vector<BodyField> fields;
  GraphQlUse graphql = GraphQlUse::kNone;
  std::vector<std::string> operations;  // names of GraphQL operations and of their first fields
  // Nothing but GraphQL requests, each with its own document and no word beside it that could say
  // what is done.
  bool is_only_graphql = false;
  bool is_whole = true;  // false when parts were left out or could not be read
  bool is_cut = false;   // it is longer than what is looked at: anything may be in the rest
};

RequestBody ReadRequestBody(std::string_view content_type, std::string_view body);

// "a=1&b=2" as fields; the first kMaxBodyFields.
std::vector<BodyField> ReadUrlEncoded(std::string_view text);

}  // namespace falconer::policy
