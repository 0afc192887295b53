#include "policy/risk/risk_findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/utf8.h"
#include "policy/risk/amount_reader.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using L = model::RiskLevel;

constexpr std::size_t kMaxQuoted = 80;  // bytes of a page's text in a reason

// In the order of the enumeration.
constexpr MeaningRow kMeaningRows[] = {
    {Meaning::kPurchase, L::kHigh, {C::kPurchase}},
    {Meaning::kCheckout, L::kMedium, {C::kInteract}},
    {Meaning::kTransfer, L::kHigh, {C::kPurchase}},
    {Meaning::kDelete, L::kHigh, {C::kDelete}},
    {Meaning::kRemove, L::kMedium, {C::kDelete}},
    {Meaning::kCancel, L::kHigh, {C::kDelete}},
    {Meaning::kSend, L::kMedium, {C::kSubmit}},
    {Meaning::kPublish, L::kHigh, {C::kSubmit}},
    {Meaning::kSubmit, L::kMedium, {C::kSubmit}},
    {Meaning::kLogIn, L::kMedium, {C::kAuth}},
    {Meaning::kLogOut, L::kMedium, {C::kAuth}},
    {Meaning::kSignUp, L::kMedium, {C::kAuth, C::kSubmit}},
    {Meaning::kCredential, L::kHigh, {C::kAuth}},
    {Meaning::kAccount, L::kMedium, {C::kWrite}},
    {Meaning::kAccess, L::kHigh, {C::kAdmin}},
    {Meaning::kSubscribe, L::kHigh, {C::kSubmit}},
    {Meaning::kUpload, L::kMedium, {C::kUpload}},
    {Meaning::kExport, L::kMedium, {C::kExport}},
    {Meaning::kReading, L::kLow, {}},
    {Meaning::kMinorThing, L::kLow, {}},
    {Meaning::kMessage, L::kLow, {}},
};
static_assert(std::size(kMeaningRows) == std::size(kMeanings));

// "Remove filter", "Delete from wish list": nothing that anybody misses.
constexpr MeaningSet kSoftened = {Meaning::kRemove, Meaning::kDelete};

std::string CodeOf(Meaning meaning, std::string_view where) {
  std::string code = fmt::format("{}_{}", NameIn(kMeanings, meaning), where);
  std::ranges::replace(code, ' ', '_');
  return code;
}

}  // namespace

const MeaningRow& RowOf(Meaning meaning) {
  return kMeaningRows[std::to_underlying(meaning)];
}

MeaningSet CommandsIn(const Words& name) {
  constexpr MeaningSet kNoCommands = {Meaning::kReading, Meaning::kMinorThing, Meaning::kMessage};
  const MeaningSet found = MeaningsOf(name);
  const bool is_minor = found.Contains(Meaning::kMinorThing);
  return found - kNoCommands - (is_minor ? kSoftened : MeaningSet());
}

void RiskFindings::Add(model::RiskLevel level, model::CapabilitySet needs, std::string_view code,
                       std::string text) {
  risk_.level = std::max(risk_.level, level);
  risk_.capabilities = risk_.capabilities | needs;
  auto& reasons = risk_.reasons;
  if (std::ranges::find(reasons, code, &RiskReason::code) != reasons.end()) return;
  // Gravest first; those of one level in the order in which they were found.
  const auto place =
      std::ranges::find_if(reasons, [&](const RiskReason& reason) { return reason.level < level; });
  reasons.insert(place, {.code = std::string(code), .text = std::move(text), .level = level});
}

Risk RiskFindings::Take() && {
  risk_.amount = GreatestOf(amounts_);
  return std::move(risk_);
}

void AddMeanings(MeaningSet meanings, std::string_view where, std::string_view quoted,
                 RiskFindings& out) {
  const bool is_minor = meanings.Contains(Meaning::kMinorThing);
  const bool is_of_account = meanings.Contains(Meaning::kAccount);
  for (const auto& [meaning, name] : kMeanings) {
    const MeaningRow& row = RowOf(meaning);
    if (!meanings.Contains(meaning) || row.level == L::kLow) continue;
    L level = row.level;
    if (is_minor && kSoftened.Contains(meaning)) {
      // A list the visitor keeps: changing it is writing.
      out.Need(C::kWrite);
      continue;
    }
    if (is_of_account && meaning == Meaning::kDelete) level = L::kCritical;
    out.Add(level, row.needs, CodeOf(meaning, where),
            fmt::format("the {} \"{}\" says {}", where, Utf8Prefix(quoted, kMaxQuoted), name));
  }
}

}  // namespace falconer::policy
