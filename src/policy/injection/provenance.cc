#include "policy/injection/provenance.h"

#include "base/check.h"
#include "base/text.h"

namespace falconer::policy {
namespace {

std::string WithoutWord(std::string_view text, std::string_view word) {
  std::string out;
  while (true) {
    const std::size_t at = text.find(word);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + word.size());
  }
}

// What may stand between the bracket and the word.
bool IsFiller(char c) {
  return c == '/' || c == ' ' || c == '\\' || c == '\t';
}

// Whether what follows a "<" makes a mark of it, to somebody who reads it with good will.
bool StartsMark(std::string_view rest) {
  constexpr std::string_view kWord = "untrusted";
  while (!rest.empty() && IsFiller(rest.front())) rest.remove_prefix(1);
  return IsSameWord(rest.substr(0, kWord.size()), kWord);
}

// A site is a host and a scheme; anything else would be text of the page in the mark.
std::string PlainSite(std::string_view site) {
  std::string out;
  for (const char c : site) {
    if (IsLetterOrDigit(c) || std::string_view(":/.-[]").contains(c)) out += c;
  }
  return out;
}

}  // namespace

json::object Provenance::ToJson() const {
  json::object out{{"origin", NameIn(kTextOrigins, origin)}, {"trusted", is_trusted()}};
  if (!site.empty()) out["site"] = site;
  if (!fid.empty()) out["frame"] = fid;
  return out;
}

std::string WithoutMarks(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' && StartsMark(text.substr(i + 1))) {
      out += "&lt;";
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string MarkText(std::string_view text, const Provenance& provenance, std::string_view word) {
  CHECK(word.size() >= 8, "a mark that can be guessed marks nothing");
  if (provenance.is_trusted()) return std::string(text);
  std::string clean = WithoutMarks(text);
  // Taking one out may put another together.
  while (clean.contains(word)) clean = WithoutWord(clean, word);
  std::string head = "<untrusted " + std::string(word) +
                     " from=" + std::string(NameIn(kTextOrigins, provenance.origin));
  if (!provenance.site.empty()) head += " site=" + PlainSite(provenance.site);
  return head + ">\n" + clean + "\n</untrusted " + std::string(word) + ">";
}

}  // namespace falconer::policy
