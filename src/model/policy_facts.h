#pragma once
// PolicyFacts: what a decision of the policy is made from, as plain data. Facts about a page come
// from the page and are untrusted: they can call for a stricter answer, and only the policy's own
// words make a milder one.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "model/action/action_type.h"
#include "model/action/capability.h"
#include "model/enum_set.h"

namespace falconer::model {

// An amount of money, exact to a ten-thousandth of the currency's unit.
struct Money {
  static constexpr std::int64_t kUnit = 10'000;

  std::int64_t ten_thousandths = 0;
  std::string currency;  // ISO 4217, upper case; "" when it is not known

  // "12.50 USD", "3 JPY", "0.125": no zeros that say nothing beyond two digits.
  std::string ToText() const;
  bool operator==(const Money&) const = default;
};

// A decimal number with at most four digits after its point, in ten-thousandths; a sign is allowed.
// Nothing for anything else, also when it does not fit.
std::optional<std::int64_t> ParseTenThousandths(std::string_view text);
// Three upper-case letters.
bool IsCurrencyCode(std::string_view text);

enum class RiskLevel : std::uint8_t { kLow, kMedium, kHigh, kCritical };

inline constexpr EnumName<RiskLevel> kRiskLevels[] = {
    {RiskLevel::kLow, "low"},
    {RiskLevel::kMedium, "medium"},
    {RiskLevel::kHigh, "high"},
    {RiskLevel::kCritical, "critical"},
};

// What a field of a form or of a request holds, as far as its name and type tell.
enum class FieldKind : std::uint8_t {
  kOther,
  kSearch,
  kPassword,
  kNewPassword,
  kOneTimeCode,
  kCardNumber,
  kCardCode,
  kCardExpiry,
  kBankAccount,
  kAmount,
  kCurrency,
  kQuantity,
  kEmail,
  kPhone,
  kAddress,
  kPersonName,
  kNationalId,
  kBirthDate,
  kFile,
};

inline constexpr EnumName<FieldKind> kFieldKinds[] = {
    {FieldKind::kOther, "other"},
    {FieldKind::kSearch, "search"},
    {FieldKind::kPassword, "password"},
    {FieldKind::kNewPassword, "new_password"},
    {FieldKind::kOneTimeCode, "one_time_code"},
    {FieldKind::kCardNumber, "card_number"},
    {FieldKind::kCardCode, "card_code"},
    {FieldKind::kCardExpiry, "card_expiry"},
    {FieldKind::kBankAccount, "bank_account"},
    {FieldKind::kAmount, "amount"},
    {FieldKind::kCurrency, "currency"},
    {FieldKind::kQuantity, "quantity"},
    {FieldKind::kEmail, "email"},
    {FieldKind::kPhone, "phone"},
    {FieldKind::kAddress, "address"},
    {FieldKind::kPersonName, "person_name"},
    {FieldKind::kNationalId, "national_id"},
    {FieldKind::kBirthDate, "birth_date"},
    {FieldKind::kFile, "file"},
};

using FieldKindSet = EnumSet<FieldKind>;

// A field of a form. `value` MUST be empty for a secret one.
struct FieldFacts {
  std::string name;          // its name in the form
  std::string type;          // "text", "password", "file", "textarea", ...
  std::string autocomplete;  // the attribute as it is
  std::string label;
  std::string value;
  bool operator==(const FieldFacts&) const = default;
};

struct FormFacts {
  // As the button that sends it overrules them.
  std::string action;  // where it is sent, absolute; "" is the page itself
  std::string method;  // "get", "post" or "dialog", lower case
  std::string name;    // its accessible name or heading
  std::string role;    // "search" and the like
  std::string submit;  // the name of the button that sends it
  std::vector<FieldFacts> fields;
  FieldKindSet kinds;  // of all fields; see policy/risk/field_kind.h
  bool operator==(const FormFacts&) const = default;
};

// The element that is acted on.
struct ElementFacts {
  std::string role;
  std::string name;        // accessible name
  std::string label;       // of a field; of others the text that is seen
  std::string tag;         // lower case
  std::string type;        // of an input or a button, lower case
  std::string identifier;  // its id, name or test id
  std::string href;        // absolute
  // Of the tab's own document at the moment the element is met. It is judged there: on record it is
  // PolicyFacts::page_url.
  std::string page_url;
  // Whose document it is in, when that is a frame's: its address, or its origin where the address
  // does not tell (about:blank, srcdoc, blob). "" in the page's own document.
  std::string frame_url;
  std::optional<FormFacts> form;
  bool operator==(const ElementFacts&) const = default;
};

// A request about to leave.
struct RequestFacts {
  std::string method;  // upper case
  // What a header asks the server to take for the method; upper case, "" when none does.
  std::string method_override = {};
  std::string url;
  std::string content_type;
  std::string resource_type;     // "document", "xhr", "fetch", "ping", "image", ...
  std::string body;              // the bytes as they are, or the beginning of them
  std::uint64_t body_bytes = 0;  // of those that are known
  // False when a part of it cannot be read before it leaves: a file, a stream.
  bool is_body_whole = true;
  bool operator==(const RequestFacts&) const = default;
};

struct PolicyFacts {
  std::string tenant;
  std::string agent;
  std::string agent_tier;
  // What it needs. Each is judged on its own and the strictest answer counts; none is READ.
  CapabilitySet capabilities;
  std::optional<ActionType> action;
  // What it is about: where a request goes, the page an action happens in. An element in a frame
  // is about the frame's document too: each is judged on its own and the strictest answer counts.
  std::string url;
  std::string page_url;  // the page it comes from
  // Without it, a purchase is one of unknown amount, and everything else one of none.
  std::optional<Money> amount;
  RiskLevel risk = RiskLevel::kLow;
  std::chrono::system_clock::time_point now;
  // When the session it happens in began; nothing for one that begins with it.
  std::optional<std::chrono::system_clock::time_point> began;
  std::optional<ElementFacts> element;
  std::optional<RequestFacts> request;

  // For records, from which a decision can be made again. The body of the request and the values of
  // fields are left out; nothing in a policy asks for them.
  json::object ToJson() const;
  // Strict. Fails with kInvalidArgument that names the field.
  static Result<PolicyFacts> FromJson(const json::value& value, std::string path = "facts");
  bool operator==(const PolicyFacts&) const = default;
};

}  // namespace falconer::model
