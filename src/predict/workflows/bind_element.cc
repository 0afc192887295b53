// BindElement: a fingerprint with the values of parameters.

#include "base/utf8.h"
#include "predict/workflows/bind_contract.h"
#include "predict/workflows/bind_selector.h"

namespace falconer::predict {
namespace {

using model::Fingerprint;

Result<void> BindWords(std::string& text, const ValueOf& value_of) {
  TRY_ASSIGN(const std::string bound, Expand(TemplateOf(text), value_of));
  text = Utf8Prefix(bound, model::kMaxFingerprintText);
  return {};
}

constexpr std::string Fingerprint::* kBoundWords[] = {
    &Fingerprint::name,     &Fingerprint::text, &Fingerprint::label,
    &Fingerprint::landmark, &Fingerprint::item, &Fingerprint::before,
};

// Selectors that the values do not go into find nothing; the others do.
void BindSelectors(std::vector<std::string>& selectors, const ValueOf& value_of) {
  std::vector<std::string> bound;
  for (const std::string& selector : selectors) {
    if (Result<std::string> one = BindSelector(selector, value_of))
      bound.push_back(*std::move(one));
  }
  selectors = std::move(bound);
}

}  // namespace

Result<void> BindElement(Fingerprint& element, const ValueOf& value_of) {
  for (const auto member : kBoundWords) TRY(BindWords(element.*member, value_of));
  for (auto& [name, text] : element.attributes) TRY(BindWords(text, value_of));
  BindSelectors(element.selectors, value_of);
  return {};
}

}  // namespace falconer::predict
