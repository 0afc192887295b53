#include "base/json/json.h"

#include <charconv>
#include <cmath>
#include <exception>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

namespace falconer {
namespace {

using Status = boost::json::error_code;
using JsonChars = boost::json::string_view;

// What the parser tells us is wrong beyond its own grammar.
Status Refused() {
  return boost::system::errc::make_error_code(boost::system::errc::invalid_argument);
}

// Everything a parser may report, ignored. The names and the limits are the library's contract.
class SilentHandler {
 public:
  // NOLINTBEGIN(readability-identifier-naming)
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
  // NOLINTEND(readability-identifier-naming)

  bool on_document_begin(Status&) { return true; }
  bool on_document_end(Status&) { return true; }
  bool on_object_begin(Status&) { return true; }
  bool on_object_end(std::size_t, Status&) { return true; }
  bool on_array_begin(Status&) { return true; }
  bool on_array_end(std::size_t, Status&) { return true; }
  bool on_key_part(JsonChars, std::size_t, Status&) { return true; }
  bool on_key(JsonChars, std::size_t, Status&) { return true; }
  bool on_string_part(JsonChars, std::size_t, Status&) { return true; }
  bool on_string(JsonChars, std::size_t, Status&) { return true; }
  bool on_number_part(JsonChars, Status&) { return true; }
  bool on_int64(std::int64_t, JsonChars, Status&) { return true; }
  bool on_uint64(std::uint64_t, JsonChars, Status&) { return true; }
  bool on_double(double, JsonChars, Status&) { return true; }
  bool on_bool(bool, Status&) { return true; }
  bool on_null(Status&) { return true; }
  bool on_comment_part(JsonChars, Status&) { return true; }
  bool on_comment(JsonChars, Status&) { return true; }
};

// Builds the value. Two things differ from the library's own builder: doubles are read again with
// from_chars, because Boost 1.81 is off by an ulp for many decimals, and members are counted, so
// that keys swallowed as duplicates show up as a difference.
class TreeBuilder : public SilentHandler {
 public:
  bool on_object_end(std::size_t n, Status&) {
    members_ += n;
    stack_.push_object(n);
    return true;
  }
  bool on_array_end(std::size_t n, Status&) {
    stack_.push_array(n);
    return true;
  }
  bool on_key_part(JsonChars part, std::size_t, Status&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_key(JsonChars last, std::size_t, Status&) {
    stack_.push_key(last);
    return true;
  }
  bool on_string_part(JsonChars part, std::size_t, Status&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(JsonChars last, std::size_t, Status&) {
    stack_.push_string(last);
    return true;
  }
  bool on_int64(std::int64_t value, JsonChars, Status&) {
    stack_.push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, JsonChars, Status&) {
    stack_.push_uint64(value);
    return true;
  }
  bool on_double(double rough, JsonChars text, Status& status) {
    double exact = rough;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), exact);
    // Both an overflow and a vanishing value are "out of range"; the parser tells them apart.
    if (read.ec != std::errc()) exact = rough;
    if (!std::isfinite(exact)) status = Refused();
    stack_.push_double(exact);
    return !status.failed();
  }
  bool on_bool(bool value, Status&) {
    stack_.push_bool(value);
    return true;
  }
  bool on_null(Status&) {
    stack_.push_null();
    return true;
  }

  void Begin() { stack_.reset(); }
  json::value Release() { return stack_.release(); }
  std::size_t members() const { return members_; }

 private:
  json::value_stack stack_;
  std::size_t members_ = 0;
};

// Runs only over texts known to repeat a key, to name it.
class DuplicateFinder : public SilentHandler {
 public:
  bool on_object_begin(Status&) {
    open_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t, Status&) {
    open_.pop_back();
    return true;
  }
  bool on_key_part(JsonChars part, std::size_t, Status&) {
    key_ += part;
    return true;
  }
  bool on_key(JsonChars last, std::size_t, Status& status) {
    key_ += last;
    if (!open_.back().insert(key_).second) {
      status = Refused();
      return false;
    }
    key_.clear();
    return true;
  }

  const std::string& key() const { return key_; }

 private:
  std::vector<std::unordered_set<std::string>> open_;
  std::string key_;
};

json::parse_options Options() {
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  return options;
}

std::size_t CountMembers(const json::value& value) {
  std::size_t count = 0;
  if (const json::object* object = value.if_object()) {
    count += object->size();
    for (const json::key_value_pair& member : *object) count += CountMembers(member.value());
  } else if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) count += CountMembers(element);
  }
  return count;
}

std::unexpected<Error> BadJson(std::size_t offset, const std::string& why) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               "JSON at offset " + std::to_string(offset) + ": " + why,
                               {{"offset", offset}}));
}

std::unexpected<Error> NameDuplicate(std::string_view text) {
  json::basic_parser<DuplicateFinder> parser(Options());
  Status status;
  const std::size_t offset = parser.write_some(false, text.data(), text.size(), status);
  return BadJson(offset, "the key \"" + parser.handler().key() + "\" is given twice");
}

std::string Reason(const Status& status) {
  return status == Refused() ? "number out of range" : status.message();
}

Result<json::value> Parse(std::string_view text) {
  json::basic_parser<TreeBuilder> parser(Options());
  parser.handler().Begin();
  Status status;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), status);
  if (status) return BadJson(used, Reason(status));
  if (used != text.size()) return BadJson(used, "text after the end of the value");
  json::value value = parser.handler().Release();
  if (CountMembers(value) != parser.handler().members()) return NameDuplicate(text);
  return value;
}

}  // namespace

Result<json::value> ParseJson(std::string_view text) {
  // The library reports grammar through the status, but running out of memory by throwing.
  try {
    return Parse(text);
  } catch (const std::exception& failure) {
    return Fail(ErrorCode::kInvalidArgument, std::string("JSON: ") + failure.what());
  }
}

Result<json::object> ParseJsonObject(std::string_view text) {
  TRY_ASSIGN(json::value value, ParseJson(text));
  if (json::object* object = value.if_object()) return std::move(*object);
  return Fail(ErrorCode::kInvalidArgument,
              "JSON: expected object, got " + std::string(JsonTypeName(value)));
}

std::string_view JsonTypeName(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "bool";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_:
      return "number";
    case json::kind::string:
      return "string";
    case json::kind::array:
      return "array";
    case json::kind::object:
      return "object";
  }
  std::unreachable();
}

std::string TextAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

bool IsTrueAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace falconer
