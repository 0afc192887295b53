#include "predict/workflows/yaml_document.h"

#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <vector>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/utf8.h"

namespace falconer::predict {
namespace {

// The library's marks of scalars in quotes and without.
constexpr std::string_view kQuotedYaml = "!";
constexpr std::string_view kPlainYaml = "?";

Error YamlFailure(const YAML::Mark& mark, std::string_view why) {
  const int line = mark.line + 1;
  const int column = mark.column + 1;
  return {ErrorCode::kInvalidArgument,
          fmt::format("line {}, column {}: {}", line, column, why),
          {{"line", line}, {"column", column}}};
}

json::value PlainValue(const std::string& text) {
  const Result<json::value> plain = ParseJson(text);
  const bool is_plain = plain && !plain->is_object() && !plain->is_array() && !plain->is_string();
  return is_plain ? *plain : json::value(text);
}

// Builds the value from the parser's events. Once something is wrong it only listens on.
class DocumentBuilder final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) Refuse(mark, "there is more than one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Check(mark, "", anchor);
    Put(mark, nullptr);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Refuse(mark, "aliases are not allowed");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    const bool is_quoted = tag == kQuotedYaml;
    Check(mark, is_quoted ? "" : tag, anchor);
    const bool is_key = !open_.empty() && open_.back().value.is_object() && !open_.back().key;
    if (is_key) return TakeKey(mark, text);
    Put(mark, is_quoted ? json::value(text) : PlainValue(text));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(mark, tag, anchor, json::array());
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(mark, tag, anchor, json::object());
  }
  void OnMapEnd() override { Close(); }

  const std::optional<Error>& failure() const { return failure_; }

  Result<YamlDocument> Take() && {
    if (failure_) return Fail(*std::move(failure_));
    return std::move(out_);
  }

 private:
  // A list or map that is being read; a map with the key whose value comes next.
  struct OpenValue {
    YAML::Mark mark;
    json::value value;
    std::optional<std::string> key;
  };

  void Refuse(const YAML::Mark& mark, std::string_view why) {
    if (!failure_) failure_ = YamlFailure(mark, why);
  }

  void Check(const YAML::Mark& mark, std::string_view tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) Refuse(mark, "anchors are not allowed");
    if (!tag.empty() && tag != kPlainYaml) Refuse(mark, "tags are not allowed");
    if (++nodes_ > kMaxYamlNodes) Refuse(mark, "the document is too large");
  }

  std::string PathOfNext() const {
    std::string path;
    for (const OpenValue& one : open_) {
      if (one.key) {
        path += (path.empty() ? "" : ".") + *one.key;
      } else if (const json::array* array = one.value.if_array()) {
        path += fmt::format("[{}]", array->size());
      }
    }
    return path;
  }

  void Open(const YAML::Mark& mark, std::string_view tag, YAML::anchor_t anchor,
            json::value value) {
    Check(mark, tag, anchor);
    if (open_.size() >= kMaxYamlDepth) Refuse(mark, "nested too deep");
    if (!failure_) out_.lines.emplace(PathOfNext(), mark.line + 1);
    open_.push_back({.mark = mark, .value = std::move(value), .key = std::nullopt});
  }

  void Close() {
    OpenValue done = std::move(open_.back());
    open_.pop_back();
    Put(done.mark, std::move(done.value));
  }

  void Put(const YAML::Mark& mark, json::value value) {
    if (failure_) return;
    out_.lines.emplace(PathOfNext(), mark.line + 1);
    if (open_.empty()) {
      out_.value = std::move(value);
    } else if (json::array* array = open_.back().value.if_array()) {
      array->push_back(std::move(value));
    } else if (!open_.back().key) {
      Refuse(mark, "a key must be a word");
    } else {
      open_.back().value.get_object()[*open_.back().key] = std::move(value);
      open_.back().key.reset();
    }
  }

  void TakeKey(const YAML::Mark& mark, const std::string& key) {
    if (open_.back().value.get_object().contains(key))
      return Refuse(mark, fmt::format("the key \"{}\" is given twice", key));
    open_.back().key = key;
  }

  std::vector<OpenValue> open_;
  YamlDocument out_;
  std::optional<Error> failure_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace

int YamlDocument::LineOf(std::string_view path) const {
  for (;;) {
    if (const auto found = lines.find(path); found != lines.end()) return found->second;
    const std::size_t cut = path.find_last_of(".[");
    if (cut == path.npos) return 1;
    path = path.substr(0, cut);
  }
}

Result<YamlDocument> ParseYamlDocument(std::string_view text) {
  if (text.size() > kMaxYamlBytes) return Fail(YamlFailure({}, "the document is too large"));
  if (!IsValidUtf8(text)) return Fail(YamlFailure({}, "the document is not UTF-8"));
  if (text.contains('\0')) return Fail(YamlFailure({}, "the document holds a zero byte"));
  DocumentBuilder builder;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& failure) {
    // The parser gives up long after what is nested too deep, and does not say why.
    if (builder.failure()) return Fail(*builder.failure());
    return Fail(YamlFailure(failure.mark, failure.msg));
  }
  return std::move(builder).Take();
}

}  // namespace falconer::predict
