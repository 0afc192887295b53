#include "api/tools/call_arguments.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "model/contract/contract.h"

namespace falconer::api {
namespace {

constexpr std::size_t kLongestSession = 64;
constexpr std::string_view kTargetKey = "target";
constexpr std::string_view kTwice = "is given together with another name of the element";

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsDigit);
}

void NameByRef(TargetArgument& target, std::string ref) {
  target.fields["target_eid"] = std::string_view(ref);
  target.ref = std::move(ref);
}

void NameBySelector(TargetArgument& target, const std::string& selector) {
  target.fields["selector"] = std::string_view(selector);
}

void NameByEither(TargetArgument& target, std::string text) {
  if (IsRef(text)) return NameByRef(target, std::move(text));
  NameBySelector(target, text);
}

}  // namespace

bool IsRef(std::string_view text) {
  const std::size_t middle = text.find('e');
  return text.starts_with('d') && middle != std::string_view::npos &&
         IsNumber(text.substr(1, middle - 1)) && IsNumber(text.substr(middle + 1));
}

TargetArgument ReadTargetArgument(JsonReader& in) {
  TargetArgument target;
  if (auto text = in.OptionalString(kTargetKey, {1})) NameByEither(target, *std::move(text));
  if (auto ref = in.OptionalString("ref", {1})) {
    if (!target.empty()) in.Reject("ref", kTwice);
    NameByRef(target, *std::move(ref));
  }
  if (auto selector = in.OptionalString("selector", {1})) {
    if (!target.empty()) in.Reject("selector", kTwice);
    NameBySelector(target, *selector);
  }
  target.description = in.OptionalString("element", {0, model::kMaxIntentLength}).value_or("");
  return target;
}

TargetArgument ReadNeededTarget(JsonReader& in) {
  TargetArgument target = ReadTargetArgument(in);
  if (target.empty() && !in.failed()) in.Reject(kTargetKey, "is required: a ref or a selector");
  return target;
}

TargetArgument ReadNamedTarget(JsonReader& in, TargetNames names) {
  TargetArgument target;
  auto text = in.OptionalString(names.name, {1});
  auto older = in.OptionalString(names.older, {1});
  if (text && older) in.Reject(names.older, kTwice);
  if (!text) text = std::move(older);
  if (text) {
    NameByEither(target, *std::move(text));
  } else if (!in.failed()) {
    in.Reject(names.name, "is required: a ref or a selector");
  }
  return target;
}

json::object TargetObject(const TargetArgument& target) {
  if (!target.ref.empty()) return {{"eid", std::string_view(target.ref)}};
  return target.fields;
}

std::string ReadSession(JsonReader& in) {
  auto session = in.OptionalString("session", {1, kLongestSession});
  if (session && !model::IsCallerId(*session)) in.Reject("session", model::kNotACallerId);
  return std::move(session).value_or(std::string(kMainSession));
}

}  // namespace falconer::api
