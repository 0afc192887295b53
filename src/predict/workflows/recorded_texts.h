#pragma once
// RecordedTexts: what was typed and chosen in a recording, each with the parameter it became. Texts
// of pages that repeat it refer to the parameter. In memory only.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/fingerprint/fingerprint.h"
#include "predict/typed_text.h"

namespace falconer::predict {

class RecordedTexts {
 public:
  void Add(std::string_view text, const std::string& parameter);
  // A text that is in no template at all.
  void AddSecret(std::string_view text);

  // The text as a template: {parameter} where it repeats what was typed.
  std::string Template(std::string_view text) const;
  // The parameter whose text this is; "" for none.
  std::string_view ParameterOf(std::string_view text) const;
  // The first text of a parameter; "" for none.
  std::string_view TextOf(std::string_view parameter) const;
  // A selector as a template; "" where a parameter cannot stand in it, or it cannot be read.
  std::string Selector(std::string_view selector) const;
  // Its texts and selectors; those that cannot be templates are left out.
  model::Fingerprint Element(const model::Fingerprint& element) const;

  // The same for what is a template already: its parameters stay.
  std::string MoreText(std::string_view text) const;
  std::string MoreSelector(std::string_view selector) const;
  model::Fingerprint MoreElement(const model::Fingerprint& element) const;

  std::span<const std::string> typed() const { return texts_; }
  bool IsSecret(const TypedPlace& place) const;
  bool empty() const { return texts_.empty(); }

 private:
  std::vector<std::string> texts_;
  std::vector<std::string> parameters_;
};

// The template, or as much of its begin as fits: no {name} is cut.
std::string CutTemplate(std::string_view text, std::size_t most);

}  // namespace falconer::predict
