#include "api/mcp/rpc_id.h"

#include <utility>

namespace falconer::api {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kEndsOfWord = ",]} \t\r\n";
// Nobody names a request by more.
constexpr std::size_t kLongestToken = 4096;

}  // namespace

bool IsRpcId(const json::value& value) {
  return value.is_string() || value.is_int64() || value.is_uint64();
}

void RpcIdScan::Read(std::string_view part) {
  for (const char c : part) {
    if (place_ == Place::kOver) return;
    Step(c);
  }
}

json::value RpcIdScan::id() const {
  if (ids_ != 1) return nullptr;
  auto id = ParseJson(written_);
  return id && IsRpcId(*id) ? *std::move(id) : json::value();
}

void RpcIdScan::Step(char c) {
  if (place_ == Place::kString) return StepString(c);
  if (place_ == Place::kNested) return StepNested(c);
  if (place_ == Place::kWord) return StepWord(c);
  if (!kSpace.contains(c)) StepBetween(c);
}

void RpcIdScan::StepBetween(char c) {
  struct Row {
    Place place;
    char wanted;
    Place next;
  };
  constexpr Row kRows[] = {{Place::kBegin, '{', Place::kKey},
                           {Place::kKey, '"', Place::kString},
                           {Place::kColon, ':', Place::kValue},
                           {Place::kAfterValue, ',', Place::kKey}};
  if (place_ == Place::kValue) return BeginValue(c);
  for (const Row& row : kRows) {
    if (row.place != place_ || row.wanted != c) continue;
    is_key_ = row.next == Place::kString;
    return Begin(row.next, c);
  }
  place_ = Place::kOver;
}

void RpcIdScan::BeginValue(char c) {
  if (c == '"') return Begin(Place::kString, c);
  if (c == '{' || c == '[') {
    depth_ = 1;
    return Begin(Place::kNested, c);
  }
  Begin(kEndsOfWord.contains(c) ? Place::kOver : Place::kWord, c);
}

void RpcIdScan::Begin(Place place, char c) {
  place_ = place;
  token_.clear();
  Keep(c);
}

void RpcIdScan::Keep(char c) {
  if ((is_key_ || is_id_) && token_.size() < kLongestToken) token_.push_back(c);
}

void RpcIdScan::StepString(char c) {
  Keep(c);
  const bool was_escaped = std::exchange(is_escaped_, !is_escaped_ && c == '\\');
  if (c == '"' && !was_escaped) EndToken();
}

void RpcIdScan::StepNested(char c) {
  const bool was_escaped = std::exchange(is_escaped_, is_quoted_ && !is_escaped_ && c == '\\');
  if (c == '"' && !was_escaped) is_quoted_ = !is_quoted_;
  if (is_quoted_) return;
  if (c == '{' || c == '[') ++depth_;
  if ((c == '}' || c == ']') && --depth_ == 0) EndToken();
}

void RpcIdScan::StepWord(char c) {
  if (!kEndsOfWord.contains(c)) return Keep(c);
  EndToken();
  Step(c);
}

void RpcIdScan::EndToken() {
  if (is_key_) {
    is_key_ = false;
    is_id_ = token_ == R"("id")";
    place_ = Place::kColon;
    return;
  }
  if (std::exchange(is_id_, false)) {
    ++ids_;
    written_ = token_;
  }
  place_ = Place::kAfterValue;
}

json::value RpcIdIn(std::string_view text) {
  RpcIdScan scan;
  scan.Read(text);
  return scan.id();
}

}  // namespace falconer::api
