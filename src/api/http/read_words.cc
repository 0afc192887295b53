#include "api/http/read_words.h"

#include "policy/rules/policy_question.h"

namespace falconer::api {
namespace {

constexpr Bounds<std::size_t> kWordCounts = {0, 32};
constexpr Bounds<std::size_t> kReasonBytes = {0, 200};

}  // namespace

model::CapabilitySet ReadCapabilities(JsonReader& in) {
  model::CapabilitySet all;
  const auto words = in.OptionalStrings("capabilities", kWordCounts);
  if (!words) return all;
  for (const std::string& word : *words) {
    const auto named = model::CapabilitiesNamed(word);
    if (named) {
      all = all | *named;
    } else {
      in.Reject("capabilities", "there is no capability \"" + word + "\"");
    }
  }
  return all;
}

std::optional<model::Money> ReadAmount(JsonReader& in) {
  const auto text = in.OptionalString("amount");
  if (!text) return std::nullopt;
  const auto amount = policy::AmountIn(*text);
  if (!amount) in.Reject("amount", "expected an amount with its currency, such as \"49.90 USD\"");
  return amount;
}

std::string ReadReason(JsonReader& in) {
  return in.OptionalString("reason", kReasonBytes).value_or("");
}

}  // namespace falconer::api
