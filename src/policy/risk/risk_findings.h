#pragma once
// RiskFindings: what the parts of a judgement found so far.

#include <string>
#include <string_view>
#include <vector>

#include "policy/body/request_body.h"
#include "policy/risk/risk.h"
#include "policy/risk/risk_words.h"

namespace falconer::policy {

class RiskFindings {
 public:
  void Need(model::Capability capability) { risk_.capabilities.Add(capability); }
  void Add(model::RiskLevel level, model::CapabilitySet needs, std::string_view code,
           std::string text);
  void Note(const model::Money& amount) { amounts_.push_back(amount); }
  // Amounts of this part come before those of earlier ones.
  void ForgetAmounts() { amounts_.clear(); }
  bool Needs(model::Capability capability) const { return risk_.capabilities.Contains(capability); }

  Risk Take() &&;

 private:
  Risk risk_;
  std::vector<model::Money> amounts_;
};

// What a meaning leads to where it is meant: on a button, or in a request that changes something.
struct MeaningRow {
  Meaning meaning;
  model::RiskLevel level;
  model::CapabilitySet needs;
};

const MeaningRow& RowOf(Meaning meaning);

// Adds a finding for each meaning, "delete_label" for "delete" found in a label. Reading beside
// another meaning, and minor things, make some of them smaller.
void AddMeanings(MeaningSet meanings, std::string_view where, std::string_view quoted,
                 RiskFindings& out);

// What one name says is done: a path's part, an operation, the value of a command. Taking a minor
// thing off a list is no more than writing, where one name says both; a name beside it says nothing
// about it.
MeaningSet CommandsIn(const Words& name);

// The parts of the judgement.
void JudgeElement(const RiskInput& input, RiskFindings& out);
void JudgeRequest(const model::RequestFacts& request, RiskFindings& out);

// The parts of the path of an address, decoded, and the fields of its query.
std::vector<std::string> PathSegments(std::string_view url);
std::vector<BodyField> QueryFields(std::string_view url);

// What the path and the query of an address say it does when it is asked with this method. The
// paths of articles and the like say nothing when they are only read.
MeaningSet MeaningsOfTarget(std::string_view method, std::string_view url);

}  // namespace falconer::policy
