#include "policy/body/graphql_tokens.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlockQuote = "\"\"\"";
constexpr std::string_view kEscapedBlockQuote = "\\\"\"\"";
constexpr std::string_view kLineEnds = "\r\n";
constexpr std::string_view kTold = "{}():@";
// Between tokens, or part of values, types and numbers.
constexpr std::string_view kPassedOver = " \t\r\n,!$&=[]|-+.";
// They ended lines in early versions of the language, and so comments.
constexpr std::string_view kOldLineEnds[] = {"\u2028", "\u2029"};

bool IsNameByte(char c) {
  return IsLetterOrDigit(c) || c == '_';
}

}  // namespace

std::string_view GraphQlTokens::Next() {
  while (!rest_.empty()) {
    const char c = rest_.front();
    if (c == '#') {
      SkipComment();
    } else if (rest_.starts_with(kBlockQuote)) {
      SkipBlockString();
      return kString;
    } else if (c == '"') {
      SkipString();
      return kString;
    } else if (IsNameByte(c)) {
      const auto end = std::ranges::find_if_not(rest_, IsNameByte);
      return Take(static_cast<std::size_t>(end - rest_.begin()));
    } else if (rest_.starts_with("...")) {
      return Take(3);
    } else if (kTold.contains(c)) {
      return Take(1);
    } else if (rest_.starts_with(kByteOrderMark)) {
      Take(kByteOrderMark.size());
    } else {
      is_broken_ = is_broken_ || !kPassedOver.contains(c);
      Take(1);
    }
  }
  return {};
}

std::string_view GraphQlTokens::Take(std::size_t length) {
  const std::string_view token = rest_.substr(0, length);
  rest_.remove_prefix(token.size());
  return token;
}

void GraphQlTokens::SkipComment() {
  const std::string_view comment = Take(std::min(rest_.find_first_of(kLineEnds), rest_.size()));
  is_broken_ = is_broken_ || std::ranges::any_of(kOldLineEnds, [&](std::string_view end) {
                 return comment.contains(end);
               });
}

void GraphQlTokens::SkipString() {
  Take(1);
  while (!rest_.empty() && rest_.front() != '"' && !kLineEnds.contains(rest_.front())) {
    Take(rest_.front() == '\\' ? 2 : 1);
  }
  is_broken_ = is_broken_ || !rest_.starts_with('"');
  if (rest_.starts_with('"')) Take(1);
}

// In it a backslash means nothing, except before three quotes.
void GraphQlTokens::SkipBlockString() {
  Take(kBlockQuote.size());
  while (!rest_.empty() && !rest_.starts_with(kBlockQuote)) {
    Take(rest_.starts_with(kEscapedBlockQuote) ? kEscapedBlockQuote.size() : 1);
  }
  is_broken_ = is_broken_ || rest_.empty();
  Take(kBlockQuote.size());
}

}  // namespace falconer::policy
