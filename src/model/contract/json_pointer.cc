#include "model/contract/json_pointer.h"

#include <fmt/format.h>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::model {
namespace {

std::unexpected<Error> RefusePointer(std::string why) {
  return Fail(ErrorCode::kInvalidArgument, "pointer " + std::move(why));
}

std::optional<std::string> Unescape(std::string_view step) {
  std::string out;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] != '~') {
      out += step[i];
      continue;
    }
    if (++i == step.size() || (step[i] != '0' && step[i] != '1')) return std::nullopt;
    out += step[i] == '0' ? '~' : '/';
  }
  return out;
}

// An index as the RFC writes it: digits without a leading zero.
std::optional<std::size_t> IndexOf(std::string_view step) {
  if (step.empty() || (step.size() > 1 && step[0] == '0')) return std::nullopt;
  return ParseWhole<std::size_t>(step);
}

const json::value* Child(const json::value& parent, std::string_view step) {
  if (const json::object* object = parent.if_object()) return object->if_contains(step);
  const json::array* array = parent.if_array();
  if (array == nullptr) return nullptr;
  const std::optional<std::size_t> index = IndexOf(step);
  return index ? array->if_contains(*index) : nullptr;
}

}  // namespace

Result<JsonPointer> JsonPointer::Parse(std::string_view text) {
  if (text.size() > kMaxPointerLength) {
    return RefusePointer(fmt::format("is longer than {} bytes", kMaxPointerLength));
  }
  if (!IsValidUtf8(text)) return RefusePointer("is not UTF-8");
  if (!text.empty() && text[0] != '/') return RefusePointer("must be empty or start with /");
  JsonPointer pointer;
  pointer.text_ = text;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('/'), text.size());
    std::optional<std::string> step = Unescape(text.substr(0, end));
    if (!step) return RefusePointer("has a ~ that is followed by neither 0 nor 1");
    pointer.steps_.push_back(*std::move(step));
    text.remove_prefix(end);
  }
  if (pointer.steps_.size() > kMaxPointerSteps) {
    return RefusePointer(fmt::format("has more than {} steps", kMaxPointerSteps));
  }
  return pointer;
}

const json::value* JsonPointer::Find(const json::value& document) const {
  const json::value* at = &document;
  for (const std::string& step : steps_) {
    at = Child(*at, step);
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace falconer::model
