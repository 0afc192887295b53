#pragma once
// The words that name what an action does, in the languages of the table. They are inputs of a
// judgement, not the judgement: where they stand counts as much (policy/risk/risk.h).

#include <cstdint>
#include <span>
#include <string_view>

#include "base/json/json_reader.h"
#include "model/enum_set.h"
#include "policy/risk/words.h"

namespace falconer::policy {

enum class Meaning : std::uint8_t {
  kPurchase,  // money leaves with it
  kCheckout,  // the way to it, and its nouns
  kTransfer,  // money to somebody
  kDelete,    // gone for good
  kRemove,    // taken off a list
  kCancel,    // an order, a booking, a subscription
  kSend,      // words to somebody
  kPublish,   // words to everybody
  kSubmit,    // hands in a form
  kLogIn,
  kLogOut,
  kSignUp,
  kCredential,  // passwords, keys, second factors
  kAccount,     // account, settings, preferences
  kAccess,      // who may do what
  kSubscribe,
  kUpload,
  kExport,
  kReading,     // searching, filtering, sorting, looking
  kMinorThing,  // a filter, a wish list, a cart: taking it off or adding to it hurts nobody
  kMessage,     // a field that words to somebody are written in
};

inline constexpr EnumName<Meaning> kMeanings[] = {
    {Meaning::kPurchase, "purchase"},
    {Meaning::kCheckout, "checkout"},
    {Meaning::kTransfer, "transfer"},
    {Meaning::kDelete, "delete"},
    {Meaning::kRemove, "remove"},
    {Meaning::kCancel, "cancel"},
    {Meaning::kSend, "send"},
    {Meaning::kPublish, "publish"},
    {Meaning::kSubmit, "submit"},
    {Meaning::kLogIn, "log in"},
    {Meaning::kLogOut, "log out"},
    {Meaning::kSignUp, "sign up"},
    {Meaning::kCredential, "credential"},
    {Meaning::kAccount, "account"},
    {Meaning::kAccess, "access"},
    {Meaning::kSubscribe, "subscribe"},
    {Meaning::kUpload, "upload"},
    {Meaning::kExport, "export"},
    {Meaning::kReading, "reading"},
    {Meaning::kMinorThing, "minor thing"},
    {Meaning::kMessage, "message"},
};

using MeaningSet = model::EnumSet<Meaning>;

// One language's phrases of one meaning, folded, separated by commas.
struct RiskWordsRow {
  Meaning meaning;
  std::string_view language;  // ISO 639-1
  std::string_view phrases;
};

std::span<const RiskWordsRow> AllRiskWords();

// Substrings of selectors that an older denylist refused. Each has a meaning in the table above.
inline constexpr std::string_view kDenyWords[] = {
    "logout",   "log-out", "sign-out", "signout",  "delete",  "remove",   "submit",
    "purchase", "buy",     "payment",  "checkout", "account", "settings", "preferences"};

// The meanings found among the words.
MeaningSet MeaningsOf(const Words& words);

}  // namespace falconer::policy
