#include "agent/report/html_text.h"

#include "model/plain_text.h"

namespace falconer::agent {

std::string HtmlOf(std::string_view text) {
  std::string out;
  for (const char c : model::PlainText(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace falconer::agent
