#include "predict/workflows/step_targets.h"

#include <algorithm>
#include <fmt/format.h>

#include "model/url.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

// The last part of its path, or its host: how it is written in the page around it is not known.
std::string FrameStep(std::string_view address) {
  if (address.empty()) return "";
  const model::UrlParts parts = model::SplitUrl(address);
  const std::size_t slash = parts.path.find_last_of('/');
  std::string last = slash == parts.path.npos ? parts.path : parts.path.substr(slash + 1);
  if (last.empty()) last = parts.host;
  std::string quoted;
  for (const char c : last) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return fmt::format(R"(frame=iframe[src*="{}"] >> )", TemplateLiteral(quoted));
}

bool IsGoodSelector(const std::string& selector) {
  return model::MakeNamedSelector(selector).has_value();
}

void AddSelector(std::vector<std::string>& selectors, std::string selector) {
  const bool is_new = std::ranges::find(selectors, selector) == selectors.end();
  if (is_new && IsGoodSelector(selector) && selectors.size() < model::kMaxCandidates)
    selectors.push_back(std::move(selector));
}

}  // namespace

std::vector<std::string> TemplateSelectors(const model::Target& target,
                                           const RecordedTexts& texts) {
  std::vector<std::string> selectors;
  for (const model::NamedSelector& one : target.Selectors()) {
    if (std::string selector = texts.Selector(one.text); !selector.empty())
      AddSelector(selectors, std::move(selector));
  }
  return selectors;
}

std::vector<std::string> SelectorsFor(const RecordedStep& done, const RecordedTexts& texts) {
  std::vector<std::string> selectors;
  if (done.element) {
    const std::string frame = FrameStep(done.element->frame);
    for (const std::string& one : done.element->selectors) {
      if (const std::string selector = texts.Selector(one); !selector.empty())
        AddSelector(selectors, frame + selector);
    }
  }
  if (!selectors.empty() || !done.spec.target) return selectors;
  return TemplateSelectors(*done.spec.target, texts);
}

void PutSelectors(json::object& spec, const std::vector<std::string>& selectors) {
  if (selectors.empty()) return;
  spec["selector"] = selectors.front();
  if (selectors.size() > 1) {
    spec["selector_candidates"] = json::array(selectors.begin() + 1, selectors.end());
  } else {
    const auto* const more = spec.find("selector_candidates");
    if (more != spec.end()) spec.stable_erase(more);
  }
}

std::vector<std::string> SelectorsIn(const json::object& spec) {
  std::vector<std::string> selectors;
  if (std::string first = TextAt(spec, "selector"); !first.empty())
    selectors.push_back(std::move(first));
  const json::value* more = spec.if_contains("selector_candidates");
  if (more == nullptr || !more->is_array()) return selectors;
  for (const json::value& one : more->get_array())
    if (one.is_string()) selectors.emplace_back(one.get_string());
  return selectors;
}

}  // namespace falconer::predict
