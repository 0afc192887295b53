#include "policy/risk/graphql_scan.h"

#include "model/text.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kMaxGraphQlNames = 64;

bool IsNameChar(char c) {
  return model::IsLetter(c) || model::IsDigit(c) || c == '_';
}

// Names and punctuation; strings, comments and the rest are passed over.
class GraphQlTokens {
 public:
  explicit GraphQlTokens(std::string_view text) : rest_(text) {}

  // "" at the end.
  std::string_view Next() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else if (c == '"') {
        SkipString();
      } else if (IsNameChar(c)) {
        std::size_t length = 0;
        while (length < rest_.size() && IsNameChar(rest_[length])) ++length;
        return Take(length);
      } else if (std::string_view("{}():").contains(c)) {
        return Take(1);
      } else {
        rest_.remove_prefix(1);
      }
    }
    return {};
  }

 private:
  std::string_view Take(std::size_t length) {
    const std::string_view token = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return token;
  }

  void SkipString() {
    const std::string_view quote = rest_.starts_with("\"\"\"") ? "\"\"\"" : "\"";
    rest_.remove_prefix(quote.size());
    while (!rest_.empty() && !rest_.starts_with(quote)) {
      rest_.remove_prefix(rest_.front() == '\\' && rest_.size() > 1 ? 2 : 1);
    }
    rest_.remove_prefix(std::min(quote.size(), rest_.size()));
  }

  std::string_view rest_;
};

class GraphQlScanner {
 public:
  explicit GraphQlScanner(std::string_view document) : tokens_(document) {}

  GraphQlFindings Scan() {
    for (std::string_view token = tokens_.Next(); !token.empty(); token = tokens_.Next()) {
      if (token == "(") {
        ++parentheses_;
      } else if (token == ")") {
        if (parentheses_ > 0) --parentheses_;
      } else if (parentheses_ == 0) {
        OnToken(token);
      }
    }
    return std::move(findings_);
  }

 private:
  void OnToken(std::string_view token) {
    if (token == "{") {
      // A document that begins with a brace is a query.
      if (braces_++ == 0 && !is_in_definition_) Use(GraphQlUse::kQuery);
      is_in_definition_ = true;
    } else if (token == "}") {
      if (braces_ > 0) --braces_;
      if (braces_ == 0) is_in_definition_ = is_in_fragment_ = false;
    } else if (token == ":") {
      // What came before was an alias.
      if (braces_ == 1 && !is_in_fragment_ && !findings_.names.empty()) findings_.names.pop_back();
    } else if (braces_ == 0 && !is_in_definition_) {
      Begin(token);
    } else if (braces_ <= 1 && !is_in_fragment_ && findings_.names.size() < kMaxGraphQlNames) {
      findings_.names.emplace_back(token);
    }
  }

  void Begin(std::string_view keyword) {
    is_in_definition_ = true;
    if (keyword == "mutation") {
      Use(GraphQlUse::kMutation);
    } else if (keyword == "query" || keyword == "subscription") {
      Use(GraphQlUse::kQuery);
    } else if (keyword == "fragment") {
      is_in_fragment_ = true;
    }
  }

  void Use(GraphQlUse use) {
    if (findings_.use != GraphQlUse::kMutation) findings_.use = use;
  }

  GraphQlTokens tokens_;
  GraphQlFindings findings_;
  int braces_ = 0;
  int parentheses_ = 0;
  bool is_in_definition_ = false;
  bool is_in_fragment_ = false;
};

}  // namespace

GraphQlFindings ScanGraphQl(std::string_view document) {
  return GraphQlScanner(document).Scan();
}

}  // namespace falconer::policy
