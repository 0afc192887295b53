#include "predict/workflows/address_template.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "base/percent.h"
#include "base/text.h"
#include "model/default_port.h"
#include "model/url.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;

constexpr std::size_t kMaxPlainValue = 32;

// As addresses write what is no parameter.
constexpr PercentForm kAddressForm = {.kept = "-_.~!$'()*,;:@"};

// "" for a value to leave out; an absent one stays absent.
using QueryValue = std::function<std::string(std::string_view name, std::string_view value)>;

std::string PathTemplate(std::string_view path, const RecordedTexts& texts) {
  std::string out;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    const std::string open = texts.Template(PercentDecoded(part));
    out += "/";
    if (!HasParameter(open)) {
      out += TemplateLiteral(part);
      continue;
    }
    TemplateParts parts = TemplateOf(open);
    for (TemplatePart& one : parts)
      if (one.kind == Kind::kLiteral) one.text = PercentEncoded(one.text, kAddressForm);
    out += TemplateText(parts);
  }
  return out.empty() ? "/" : out;
}

std::string QueryTemplate(std::string_view url, const QueryValue& value_of) {
  url = url.substr(0, url.find('#'));
  const std::size_t mark = url.find('?');
  std::string_view query = mark == url.npos ? std::string_view() : url.substr(mark + 1);
  std::vector<std::string> parts;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = pair.find('=');
    if (pair.empty() || equals == pair.npos) continue;
    const std::string name = FormDecoded(pair.substr(0, equals));
    const std::string value = FormDecoded(pair.substr(equals + 1));
    const std::string open = value.empty() ? "" : value_of(name, value);
    if (!open.empty() || value.empty())
      parts.push_back(TemplateLiteral(PercentEncoded(name)) + "=" + open);
  }
  return parts.empty() ? "" : fmt::format("?{}", fmt::join(parts, "&"));
}

// Sites that are one page name its places behind the mark; others put what is nobody's business
// there.
std::string FragmentTemplate(std::string_view url) {
  const std::size_t mark = url.find('#');
  if (mark == url.npos) return "";
  const std::string_view fragment = url.substr(mark);
  const bool is_place = fragment.starts_with("#/") || fragment.starts_with("#!/");
  const bool is_plain = std::ranges::all_of(fragment.substr(1), [](char c) {
    return IsLetterOrDigit(c) || std::string_view("/!-_.").contains(c);
  });
  return is_place && is_plain ? std::string(fragment) : "";
}

std::string AddressTemplate(std::string_view url, const RecordedTexts& texts,
                            const QueryValue& value_of) {
  const model::UrlParts parts = model::SplitUrl(url);
  const bool is_web = parts.scheme == "http" || parts.scheme == "https";
  if (!is_web || parts.host.empty()) return "";
  const bool is_usual =
      parts.port.empty() || parts.port == std::to_string(model::DefaultPort(parts.scheme));
  return fmt::format("{}://{}{}{}{}{}{}", parts.scheme, parts.host, is_usual ? "" : ":",
                     is_usual ? "" : parts.port, PathTemplate(parts.path, texts),
                     QueryTemplate(url, value_of), FragmentTemplate(url));
}

bool IsPlainValue(std::string_view value) {
  return value.size() <= kMaxPlainValue && std::ranges::none_of(value, IsDigit) &&
         std::ranges::all_of(value, [](char c) { return IsLetter(c) || c == '-' || c == '_'; });
}

}  // namespace

std::string OpenedAddress(std::string_view url, const RecordedTexts& texts,
                          const NewParameter& parameter) {
  return AddressTemplate(url, texts, [&](std::string_view name, std::string_view value) {
    const std::string_view known = texts.ParameterOf(value);
    return fmt::format("{{{}}}", known.empty() ? parameter(name, value) : std::string(known));
  });
}

std::string StartAddress(std::string_view url, const RecordedTexts& texts) {
  return AddressTemplate(url, texts, [](std::string_view, std::string_view value) {
    return IsPlainValue(value) ? std::string(value) : std::string();
  });
}

}  // namespace falconer::predict
