#pragma once
// The id of a message: what its sender waits for, also when the rest of it cannot be read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer::api {

// A string or an integer.
bool IsRpcId(const json::value& value);

// Looks for the id in a text that is no JSON or too long to be kept: the member "id" of its
// outermost object, as far as members can be told apart. What strings hold does not matter to it.
class RpcIdScan {
 public:
  // The next part of the text.
  void Read(std::string_view part);
  // Null when none was found whole, or more than one.
  json::value id() const;

 private:
  enum class Place : std::uint8_t {
    kBegin,
    kKey,
    kColon,
    kValue,
    kAfterValue,
    kString,
    kNested,
    kWord,
    kOver,
  };

  void Step(char c);
  void StepBetween(char c);
  void StepString(char c);
  void StepNested(char c);
  void StepWord(char c);
  void BeginValue(char c);
  void Begin(Place place, char c);
  void Keep(char c);
  void EndToken();

  Place place_ = Place::kBegin;
  bool is_key_ = false;  // the token is one
  bool is_id_ = false;   // the value is that of the id
  bool is_escaped_ = false;
  bool is_quoted_ = false;  // inside a string of a nested value
  std::size_t depth_ = 0;   // of a nested value
  std::string token_;
  std::size_t ids_ = 0;
  std::string written_;  // the id as it is written
};

// The id in a text that was read as a whole.
json::value RpcIdIn(std::string_view text);

}  // namespace falconer::api
