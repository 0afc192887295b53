#include "kernel/plan/nondeterminism.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/json/canonical_json.h"
#include "base/json/json_reader.h"
#include "base/sha256.h"

namespace falconer::kernel {
namespace {

RecordedInput ReadInput(JsonReader& in) {
  return {.key = in.String("input_key", {1, 256}),
          .source = in.Enum("source", model::kInputSources),
          .value = in.RawValue("value")};
}

std::unexpected<Error> WrongValue(std::string_view name, std::string_view expected) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("recorded input {} is not {}", name, expected));
}

}  // namespace

Result<model::NondeterministicInput> RecordedInput::ToEvidence() const {
  TRY_ASSIGN(const std::string canonical, CanonicalJson(value));
  return model::NondeterministicInput{
      .input_key = key, .source = source, .evidence_ref = Sha256Hex(canonical)};
}

json::object RecordedInput::ToJson() const {
  return {{"input_key", key}, {"source", NameIn(model::kInputSources, source)}, {"value", value}};
}

Result<RecordedInput> ParseRecordedInput(const json::value& value) {
  return ReadJson(value, "recorded_input", ReadInput);
}

Result<std::int64_t> TurnInputs::WallMillis(std::string_view name) {
  TRY_ASSIGN(const json::value value, Read(name, model::InputSource::kSystemTime,
                                           [this] { return json::value(ReadClock()); }));
  const std::int64_t* millis = value.if_int64();
  if (millis == nullptr) return WrongValue(name, "a time");
  return *millis;
}

Result<std::uint64_t> TurnInputs::RandomBelow(std::string_view name, std::uint64_t bound) {
  CHECK(bound > 0, "a choice needs at least one possibility");
  TRY_ASSIGN(const json::value value, Read(name, model::InputSource::kRandom, [this, bound] {
               // As text: a double would not hold all of it.
               return json::value(std::to_string(ReadChance() % bound));
             }));
  const json::string* text = value.if_string();
  if (text == nullptr || text->empty() ||
      text->find_first_not_of("0123456789") != json::string::npos) {
    return WrongValue(name, "a number");
  }
  const std::uint64_t number = std::strtoull(text->c_str(), nullptr, 10);
  if (number >= bound) return WrongValue(name, fmt::format("below {}", bound));
  return number;
}

Result<json::value> TurnInputs::External(std::string_view name, model::InputSource source,
                                         const std::function<json::value()>& look) {
  return Read(name, source, look);
}

}  // namespace falconer::kernel
