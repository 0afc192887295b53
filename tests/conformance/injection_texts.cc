#include "tests/conformance/injection_texts.h"

#include <cstdio>
#include <string>
#include <vector>

#include "base/file.h"
#include "policy/injection/injection_filter.h"

namespace falconer::test {
namespace {

struct Counts {
  int texts = 0;
  int flagged = 0;      // suspicious or put away, when shown
  int put_away = 0;     // when shown
  int hidden_away = 0;  // put away when people do not see the text
};

Counts CountOf(const std::vector<std::string>& texts) {
  using policy::InjectionDecision;
  Counts counts;
  for (const std::string& text : texts) {
    const auto shown = policy::JudgeText(text).decision;
    const auto hidden = policy::JudgeText(text, {.is_displayed = false}).decision;
    ++counts.texts;
    counts.flagged += shown != InjectionDecision::kClean ? 1 : 0;
    counts.put_away += shown == InjectionDecision::kQuarantine ? 1 : 0;
    counts.hidden_away += hidden == InjectionDecision::kQuarantine ? 1 : 0;
  }
  return counts;
}

std::vector<std::string> BenignTexts(const std::filesystem::path& folder) {
  std::vector<std::string> texts;
  for (const char* name : {"one", "two", "three"}) {
    const auto file = ReadFile(folder / ("benign_notinject_" + std::string(name) + ".json"));
    const auto rows = file ? ParseJson(*file) : Result<json::value>();
    if (!rows || !rows->is_array()) continue;
    for (const json::value& row : rows->get_array()) {
      texts.push_back(TextAt(row.as_object(), "prompt"));
    }
  }
  return texts;
}

std::vector<std::string> AttackTexts(const std::filesystem::path& folder) {
  std::vector<std::string> texts;
  const auto file = ReadFile(folder / "attacks_bipia_train_half.json");
  const auto groups = file ? ParseJsonObject(*file) : Result<json::object>();
  if (!groups) return texts;
  for (const auto& [name, group] : *groups) {
    for (const json::value& text : group.as_array()) texts.emplace_back(text.as_string());
  }
  return texts;
}

double Share(int part, int all) {
  return all == 0 ? 0 : static_cast<double>(part) / all;
}

}  // namespace

Score InjectionTexts(const std::filesystem::path& folder) {
  const Counts benign = CountOf(BenignTexts(folder));
  const Counts attacks = CountOf(AttackTexts(folder));
  if (attacks.texts == 0) return {};
  std::printf("injection: benign: %d texts, %d flagged, %d put away, %d put away when hidden\n",
              benign.texts, benign.flagged, benign.put_away, benign.hidden_away);
  std::printf("injection: attacks: %d texts, %d flagged, %d put away, %d put away when hidden\n",
              attacks.texts, attacks.flagged, attacks.put_away, attacks.hidden_away);
  std::printf("injection: flagging: precision %.2f, recall %.2f\n",
              Share(attacks.flagged, attacks.flagged + benign.flagged),
              Share(attacks.flagged, attacks.texts));
  return {.right = benign.texts - benign.put_away, .all = benign.texts};
}

}  // namespace falconer::test
