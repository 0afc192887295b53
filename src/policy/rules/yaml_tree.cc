#include "policy/rules/yaml_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/utf8.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kQuotedTag = "!";
constexpr std::string_view kPlainTag = "?";

// Builds the tree from the parser's events. Once something is wrong it only listens on.
class TreeBuilder final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) Refuse(At(mark), "a policy is one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { Add(At(mark), "", anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Refuse(At(mark), "aliases are not allowed in a policy");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = At(mark);
    node.kind = YamlNode::Kind::kText;
    node.text = value;
    const bool is_quoted = tag == kQuotedTag;
    if (is_quoted) node.quoting = YamlNode::Quoting::kQuoted;
    if (value.size() > kMaxPolicyText) {
      Refuse(node, fmt::format("a text is longer than {} bytes", kMaxPolicyText));
    }
    Add(std::move(node), is_quoted ? "" : tag, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(At(mark), YamlNode::Kind::kList, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(At(mark), YamlNode::Kind::kMap, tag, anchor);
  }
  void OnMapEnd() override { Close(); }

  // What is wrong with what was read so far.
  const std::optional<Error>& failure() const { return failure_; }

  Result<YamlNode> Take() && {
    if (failure_) return Fail(*std::move(failure_));
    return std::move(root_);
  }

 private:
  // A map that waits for the value of its last key.
  struct OpenNode {
    YamlNode node;
    std::optional<YamlNode> key;
  };

  static YamlNode At(const YAML::Mark& mark) {
    YamlNode node;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    return node;
  }

  void Refuse(const YamlNode& where, std::string_view why) {
    if (!failure_) failure_ = YamlError(where, "", why);
  }

  void Check(const YamlNode& node, std::string_view tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) Refuse(node, "anchors are not allowed in a policy");
    if (!tag.empty() && tag != kPlainTag) Refuse(node, "tags are not allowed in a policy");
    if (++nodes_ > kMaxPolicyNodes) Refuse(node, "the policy is too large");
  }

  void Add(YamlNode node, std::string_view tag, YAML::anchor_t anchor) {
    Check(node, tag, anchor);
    Put(std::move(node));
  }

  void Open(YamlNode node, YamlNode::Kind kind, std::string_view tag, YAML::anchor_t anchor) {
    Check(node, tag, anchor);
    if (open_.size() >= kMaxPolicyDepth) {
      Refuse(node, fmt::format("nested too deep: at most {} levels are allowed", kMaxPolicyDepth));
    }
    node.kind = kind;
    open_.push_back({.node = std::move(node), .key = std::nullopt});
  }

  void Close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    Put(std::move(node));
  }

  void Put(YamlNode node) {
    if (failure_) return;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.key) {
      parent.node.members.push_back({*std::move(parent.key), std::move(node)});
      parent.key.reset();
    } else {
      TakeKey(parent, std::move(node));
    }
  }

  void TakeKey(OpenNode& parent, YamlNode key) {
    if (key.kind != YamlNode::Kind::kText) return Refuse(key, "a key must be a word");
    const auto is_same = [&](const YamlMember& member) { return member.key.text == key.text; };
    if (std::ranges::any_of(parent.node.members, is_same)) {
      return Refuse(key, fmt::format("the key \"{}\" is given twice", key.text));
    }
    parent.key = std::move(key);
  }

  std::vector<OpenNode> open_;
  YamlNode root_;
  std::optional<Error> failure_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace

std::string_view KindName(const YamlNode& node) {
  constexpr std::string_view kKindNames[] = {"nothing", "text", "list", "map"};
  return kKindNames[static_cast<std::size_t>(node.kind)];
}

Error YamlError(const YamlNode& where, std::string_view path, std::string_view why) {
  const std::string_view separator = path.empty() ? "" : ": ";
  return {ErrorCode::kInvalidArgument,
          fmt::format("line {}, column {}: {}{}{}", where.line, where.column, path, separator, why),
          {{"line", where.line}, {"column", where.column}, {"path", path}}};
}

Result<YamlNode> ParseYaml(std::string_view text) {
  if (text.size() > kMaxPolicyBytes) return Fail(YamlError({}, "", "too large for a policy"));
  if (!IsValidUtf8(text)) return Fail(YamlError({}, "", "the policy is not UTF-8"));
  if (text.contains('\0')) return Fail(YamlError({}, "", "the policy holds a zero byte"));
  TreeBuilder builder;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& failure) {
    // The parser gives up long after what is nested too deep, and does not say why.
    if (builder.failure()) return Fail(*builder.failure());
    YamlNode where;
    where.line = failure.mark.line + 1;
    where.column = failure.mark.column + 1;
    return Fail(YamlError(where, "", failure.msg));
  }
  return std::move(builder).Take();
}

}  // namespace falconer::policy
