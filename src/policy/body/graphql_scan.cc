#include "policy/body/graphql_scan.h"

#include <algorithm>
#include <utility>

#include "policy/body/graphql_tokens.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kMaxGraphQlNames = 4096;

class GraphQlScanner {
 public:
  explicit GraphQlScanner(std::string_view document) : tokens_(document) {}

  GraphQlFindings Scan() {
    for (std::string_view token = tokens_.Next(); !token.empty(); token = tokens_.Next()) {
      if (token == "(") {
        ++parentheses_;
      } else if (token == ")") {
        is_broken_ = is_broken_ || parentheses_ == 0;
        if (parentheses_ > 0) --parentheses_;
      } else if (parentheses_ == 0) {
        OnToken(token);
      }
    }
    return Findings();
  }

 private:
  GraphQlFindings Findings() {
    is_broken_ = is_broken_ || tokens_.is_broken() || parentheses_ > 0 || is_in_definition_;
    const bool is_mutation = findings_.use == GraphQlUse::kMutation;
    if (is_broken_ && !is_mutation) findings_.use = GraphQlUse::kUnknown;
    if (is_mutation) {
      findings_.names.insert(findings_.names.end(), in_fragments_.begin(), in_fragments_.end());
    }
    return std::move(findings_);
  }

  void OnToken(std::string_view token) {
    const bool is_directive = std::exchange(is_after_at_, token == "@");
    if (token == "{") {
      Open();
    } else if (token == "}") {
      Close();
    } else if (token == ":") {
      // What came before was an alias.
      if (depth_ == 1 && !Names().empty()) Names().pop_back();
    } else if (token == "...") {
      is_after_spread_ = true;
    } else if (token == GraphQlTokens::kString) {
      // It is an argument, or says what the next definition is for. Among fields stand the strings
      // of JSON.
      is_broken_ = is_broken_ || is_in_definition_;
    } else if (is_directive || token == "@") {
      return;
    } else if (!is_in_definition_) {
      Begin(token);
    } else if (is_after_spread_ && (token == "on" || is_after_on_)) {
      is_after_on_ = token == "on";
    } else {
      is_after_spread_ = false;
      Keep(token);
    }
  }

  // The braces of "... on T { }" hold fields of what is around them.
  void Open() {
    // A document that begins with a brace is a query.
    if (!is_in_definition_) Use(GraphQlUse::kQuery);
    is_in_definition_ = true;
    const bool is_inline = std::exchange(is_after_spread_, false);
    is_after_on_ = false;
    braces_.push_back(is_inline);
    if (!is_inline) ++depth_;
  }

  void Close() {
    is_after_spread_ = is_after_on_ = false;
    is_broken_ = is_broken_ || braces_.empty();
    if (braces_.empty()) return;
    if (!braces_.back()) --depth_;
    braces_.pop_back();
    if (braces_.empty()) is_in_definition_ = is_in_fragment_ = false;
  }

  void Begin(std::string_view keyword) {
    is_in_definition_ = true;
    if (keyword == "mutation") {
      Use(GraphQlUse::kMutation);
    } else if (keyword == "query" || keyword == "subscription") {
      Use(GraphQlUse::kQuery);
    } else if (keyword == "fragment") {
      is_in_fragment_ = true;
    } else {
      is_broken_ = true;
    }
  }

  void Keep(std::string_view name) {
    // Of a fragment neither its name nor its type.
    if (depth_ > 1 || (is_in_fragment_ && depth_ == 0)) return;
    if (Names().size() == kMaxGraphQlNames) {
      findings_.is_cut = true;
    } else {
      Names().emplace_back(name);
    }
  }

  std::vector<std::string>& Names() { return is_in_fragment_ ? in_fragments_ : findings_.names; }
  void Use(GraphQlUse use) {
    if (findings_.use != GraphQlUse::kMutation) findings_.use = use;
  }

  GraphQlTokens tokens_;
  GraphQlFindings findings_;
  std::vector<std::string> in_fragments_;
  std::vector<bool> braces_;  // that are open: whether they are those of an inline fragment
  int depth_ = 0;             // of the others
  int parentheses_ = 0;
  bool is_in_definition_ = false;
  bool is_in_fragment_ = false;
  bool is_after_spread_ = false;
  bool is_after_on_ = false;
  bool is_after_at_ = false;
  bool is_broken_ = false;
};

}  // namespace

GraphQlFindings ScanGraphQl(std::string_view document) {
  return GraphQlScanner(document).Scan();
}

}  // namespace falconer::policy
