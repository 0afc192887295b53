#pragma once
// Words for people: what a step does, what it is called, what a parameter is called. Made of what
// pages say; texts are templates.

#include <set>
#include <string>
#include <string_view>

#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

// Names that are each given once: "search", "search_2".
class NameBook {
 public:
  explicit NameBook(char joint) : joint_(joint) {}

  // The name, or the first with a number that is free.
  std::string Take(const std::string& name);
  bool Has(const std::string& name) const { return taken_.contains(name); }

 private:
  char joint_;
  std::set<std::string, std::less<>> taken_;
};

// Lower-case letters and digits of the text, words joined: "street_and_number".
std::string JoinedWords(std::string_view text, char joint, std::size_t most = 40);
// The same as the name of a parameter; "" when nothing is left.
std::string ParameterWords(std::string_view text);

// What a field that is typed into is called: its label, name, placeholder or attribute.
std::string FieldParameter(const model::Fingerprint* field);

// `textbox "Full name"`; the first selector where there is no element.
std::string ElementWords(const WorkflowStep& step);
// `type {full_name} into textbox "Full name"`.
std::string IntentOf(const WorkflowStep& step);
// "full-name", "add-to-cart", "open-login".
std::string IdOf(const WorkflowStep& step);

}  // namespace falconer::predict
