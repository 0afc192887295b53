// What an action does to the element it meets, and through it to the form.

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string>

#include "base/text.h"
#include "policy/risk/amount_reader.h"
#include "policy/risk/field_kind.h"
#include "policy/risk/risk_findings.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using L = model::RiskLevel;
using Kind = model::FieldKind;
using Type = model::ActionType;

// A label with more words is a sentence or a headline. Digits and amounts do not count.
constexpr std::size_t kMaxButtonWords = 12;
constexpr std::size_t kMaxLinkWords = 4;
// Scripts without spaces: bytes of one word.
constexpr std::size_t kMaxUnspacedBytes = 45;

// "View payment methods": looking at something is not doing it.
constexpr MeaningSet kKeptWhenReading = {Meaning::kDelete, Meaning::kRemove, Meaning::kCancel,
                                         Meaning::kReading, Meaning::kMinorThing};
// On a link that leads to another page, these are names of pages.
constexpr MeaningSet kPageNames = {Meaning::kAccount,  Meaning::kCredential, Meaning::kAccess,
                                   Meaning::kLogIn,    Meaning::kSignUp,     Meaning::kSubmit,
                                   Meaning::kCheckout, Meaning::kSend,       Meaning::kSubscribe,
                                   Meaning::kUpload,   Meaning::kExport,     Meaning::kTransfer,
                                   Meaning::kPublish,  Meaning::kPurchase};

// How the action meets the element.
enum class Touch : std::uint8_t { kNone, kActivates, kSubmitsForm, kFills, kMaySend, kToggles };

// As keyboards and callers call them, in lower case.
constexpr std::string_view kEnterKeys[] = {"enter", "numpadenter", "return", "\r", "\n", "\r\n"};
constexpr std::string_view kSpaceKeys[] = {"space", "spacebar", " "};

bool IsKey(std::string_view key, std::span<const std::string_view> names) {
  return std::ranges::find(names, ToLower(key)) != names.end();
}

bool IsTextField(const model::ElementFacts& element) {
  constexpr std::string_view kPressed[] = {"submit",   "button", "image", "reset",
                                           "checkbox", "radio",  "file"};
  return element.tag == "input" && std::ranges::find(kPressed, element.type) == std::end(kPressed);
}

bool IsManyLines(const model::ElementFacts& element) {
  return element.tag == "textarea" || (element.role == "textbox" && element.tag != "input");
}

bool IsSubmitButton(const model::ElementFacts& element) {
  if (!element.form) return false;
  if (element.tag == "button") return element.type.empty() || element.type == "submit";
  return element.tag == "input" && (element.type == "submit" || element.type == "image");
}

bool IsToggle(const model::ElementFacts& element) {
  constexpr std::string_view kRoles[] = {"checkbox", "switch",           "radio",
                                         "option",   "menuitemcheckbox", "menuitemradio"};
  return std::ranges::find(kRoles, element.role) != std::end(kRoles);
}

Touch TouchOfPress(const model::ElementFacts& element) {
  if (IsToggle(element)) return Touch::kToggles;
  return IsSubmitButton(element) ? Touch::kSubmitsForm : Touch::kActivates;
}

// Enter in a field sends the form as its button would; in a field of many lines surely only with
// Control.
Touch TouchOfEnter(const RiskAction& action, const model::ElementFacts& element) {
  if (IsManyLines(element)) return action.has_modifier ? Touch::kSubmitsForm : Touch::kMaySend;
  if (IsTextField(element)) return Touch::kSubmitsForm;
  return IsSubmitButton(element) ? Touch::kSubmitsForm : Touch::kActivates;
}

Touch TouchOf(const RiskAction& action, const model::ElementFacts& element) {
  switch (action.type) {
    case Type::kClick:
    case Type::kDoubleClick:
    case Type::kDrag:
    case Type::kDownloadTrigger:
      return TouchOfPress(element);
    case Type::kSubmit:
    case Type::kPurchase:
      return Touch::kSubmitsForm;
    case Type::kPress:
      if (IsKey(action.key, kEnterKeys)) return TouchOfEnter(action, element);
      if (IsKey(action.key, kSpaceKeys)) {
        if (IsTextField(element) || IsManyLines(element)) return Touch::kFills;
        return TouchOfPress(element);
      }
      return Touch::kNone;
    case Type::kType:
      return action.presses_enter ? TouchOfEnter(action, element) : Touch::kFills;
    case Type::kFill:
      return Touch::kFills;
    case Type::kCheck:
    case Type::kUncheck:
    case Type::kSelect:
      return Touch::kToggles;
    default:
      return Touch::kNone;
  }
}

// Where a press on it leads: an address of its own, or a script's doing.
bool LeadsSomewhere(const model::ElementFacts& element) {
  return element.href.starts_with("http://") || element.href.starts_with("https://");
}

bool IsShortLabel(const Words& words, std::size_t most) {
  std::size_t count = 0;
  for (const std::string& word : words) {
    if (word.size() > kMaxUnspacedBytes) return false;
    if (!IsDigit(word.front())) ++count;
  }
  return count > 0 && count <= most;
}

MeaningSet MeaningsOfLabel(std::string_view label, std::size_t most_words) {
  const Words words = WordsOf(label);
  if (!IsShortLabel(words, most_words)) return {};
  MeaningSet found = MeaningsOf(words);
  if (MeaningsOf({words.front()}).Contains(Meaning::kReading)) {
    found = found - (found - kKeptWhenReading);
  }
  return found;
}

// The meanings of both names it has: what is read out and what is seen can differ.
MeaningSet MeaningsOfBoth(const model::ElementFacts& element, std::size_t most_words) {
  return MeaningsOfLabel(element.name, most_words) | MeaningsOfLabel(element.label, most_words);
}

// What it says of itself; a button without words goes by its identifier.
void JudgeLabel(const model::ElementFacts& element, RiskFindings& out) {
  const bool is_link = LeadsSomewhere(element);
  const std::size_t most = is_link ? kMaxLinkWords : kMaxButtonWords;
  const std::string& label = element.name.empty() ? element.label : element.name;
  const bool has_words = !WordsOf(label).empty();
  MeaningSet found =
      has_words ? MeaningsOfBoth(element, most) : MeaningsOf(IdentifierWords(element.identifier));
  if (is_link) {
    // A link asks with GET: a page about buying comes first. One that deletes is believed.
    const bool is_to_buy = found.Contains(Meaning::kPurchase);
    found = found - kPageNames;
    if (is_to_buy) found.Add(Meaning::kCheckout);
  }
  AddMeanings(found, "label", has_words ? label : element.identifier, out);
  for (const model::Money& amount : AmountsIn(label)) out.Note(amount);
}

// A box or a switch is a choice; what it chooses may be grave and may hold at once.
void JudgeToggle(const model::ElementFacts& element, RiskFindings& out) {
  constexpr MeaningSet kGrave = {Meaning::kPurchase, Meaning::kDelete,     Meaning::kTransfer,
                                 Meaning::kAccess,   Meaning::kCredential, Meaning::kSubscribe};
  if (MeaningsOfBoth(element, kMaxButtonWords).Intersects(kGrave)) {
    out.Add(L::kMedium, {C::kWrite}, "grave_choice", "the choice is about something grave");
  }
}

// Enter where messages are written sends them on many pages.
void JudgeMaySend(const model::ElementFacts& element, RiskFindings& out) {
  const MeaningSet found = MeaningsOf(WordsOf(element.name)) | MeaningsOf(WordsOf(element.label)) |
                           MeaningsOf(IdentifierWords(element.identifier));
  if (found.Intersects({Meaning::kMessage, Meaning::kSend, Meaning::kPublish})) {
    out.Add(L::kMedium, {C::kSubmit}, "enter_may_send", "Enter may send what is written");
  }
}

void JudgeLink(const model::ElementFacts& element, RiskFindings& out) {
  if (LeadsSomewhere(element)) {
    AddMeanings(MeaningsOfTarget("GET", element.href), "link", element.href, out);
  }
}

struct KindFinding {
  model::FieldKindSet kinds;
  L level;
  model::CapabilitySet needs;
  std::string_view code;
  std::string_view text;
};

constexpr KindFinding kFormKinds[] = {
    {{Kind::kCardNumber, Kind::kCardCode, Kind::kCardExpiry},
     L::kCritical,
     {C::kPurchase},
     "card_in_form",
     "the form takes a payment card"},
    {{Kind::kBankAccount},
     L::kHigh,
     {C::kPurchase},
     "account_in_form",
     "the form takes a bank account"},
    {{Kind::kNewPassword},
     L::kHigh,
     {C::kAuth},
     "new_password_in_form",
     "the form sets a password"},
    {{Kind::kPassword, Kind::kOneTimeCode},
     L::kMedium,
     {C::kAuth},
     "password_in_form",
     "the form takes a password or a code"},
    {{Kind::kFile}, L::kHigh, {C::kUpload}, "file_in_form", "the form takes a file"},
    {{Kind::kNationalId, Kind::kBirthDate},
     L::kHigh,
     {C::kPii},
     "identity_in_form",
     "the form takes data that identify a person"},
    {{Kind::kAddress, Kind::kPhone},
     L::kMedium,
     {C::kPii},
     "person_in_form",
     "the form takes data of a person"},
};

bool IsSearchForm(const model::FormFacts& form, const model::FieldKindSet kinds) {
  constexpr model::FieldKindSet kHarmless = {Kind::kSearch, Kind::kOther, Kind::kQuantity};
  const bool has_only_such = (kinds - kHarmless).empty();
  return has_only_such && (form.role == "search" || kinds.Contains(Kind::kSearch));
}

std::vector<BodyField> AsBodyFields(const model::FormFacts& form) {
  std::vector<BodyField> fields;
  for (const model::FieldFacts& field : form.fields) {
    fields.push_back({.name = field.name.empty() ? field.label : field.name, .value = field.value});
  }
  return fields;
}

void JudgeForm(const model::FormFacts& given, RiskFindings& out) {
  model::FormFacts form = given;
  ClassifyFields(form);
  if (form.method == "dialog") return;
  const bool is_search = IsSearchForm(form, form.kinds);
  const bool is_post = form.method == "post";
  if (is_post && !is_search) {
    out.Add(L::kMedium, {C::kSubmit}, "form_post", "a form is sent that can change something");
  }
  for (const KindFinding& row : kFormKinds) {
    if (form.kinds.Intersects(row.kinds)) {
      out.Add(row.level, row.needs, row.code, std::string(row.text));
    }
  }
  AddMeanings(MeaningsOfLabel(form.submit, kMaxButtonWords), "form_button", form.submit, out);
  if (is_post) {
    AddMeanings(MeaningsOfLabel(form.name, kMaxLinkWords), "form_name", form.name, out);
  }
  AddMeanings(MeaningsOfTarget(is_post ? "POST" : "GET", form.action), "form_action", form.action,
              out);
  for (const model::Money& amount : AmountsIn(form.submit)) out.Note(amount);
  if (const auto amount = AmountOf(AsBodyFields(form))) out.Note(*amount);
}

Kind KindOfElement(const model::ElementFacts& element) {
  return KindOf({.name = element.identifier,
                 .type = element.type,
                 .autocomplete = "",
                 .label = element.label.empty() ? element.name : element.label,
                 .value = ""});
}

// Typing changes nothing outside the page yet; what is typed can be worth a look.
void JudgeFilling(const model::ElementFacts& element, RiskFindings& out) {
  const Kind kind = KindOfElement(element);
  if (kind == Kind::kPassword || kind == Kind::kNewPassword || kind == Kind::kOneTimeCode) {
    out.Add(L::kMedium, {C::kAuth}, "fills_secret", "a password or a code is filled in");
  } else if (kind == Kind::kCardNumber || kind == Kind::kCardCode || kind == Kind::kBankAccount ||
             kind == Kind::kNationalId) {
    out.Add(L::kMedium, {C::kPii}, "fills_private",
            "a card, an account or an identity is filled in");
  }
}

void JudgeSending(const model::ElementFacts& element, RiskFindings& out) {
  const bool is_field = IsTextField(element) || IsManyLines(element);
  if (element.form) {
    JudgeForm(*element.form, out);
  } else if (is_field && KindOfElement(element) != Kind::kSearch && element.role != "searchbox") {
    out.Add(L::kMedium, {C::kSubmit}, "enter_without_form",
            "Enter in a field that belongs to no form may send it");
  }
  if (!is_field) JudgeLabel(element, out);
}

struct TypeFinding {
  Type type;
  L level;
  std::string_view code;
  std::string_view text;
};

// What the type alone says, whatever it meets.
constexpr TypeFinding kTypeFindings[] = {
    {Type::kPurchase, L::kHigh, "purchase_action", "the action is a purchase"},
    {Type::kSubmit, L::kMedium, "submit_action", "the action sends a form"},
    {Type::kUpload, L::kHigh, "upload_action", "a file leaves"},
    {Type::kDownloadTrigger, L::kMedium, "download_action", "a file is fetched"},
    {Type::kCustomJsRestricted, L::kHigh, "script_action", "a script of the caller runs"},
};

// Saying yes does what was asked. Of a long text only what is grave counts.
void JudgeQuestion(const std::string& question, RiskFindings& out) {
  constexpr std::size_t kMaxQuestionWords = 40;
  constexpr MeaningSet kGrave = {Meaning::kPurchase, Meaning::kTransfer, Meaning::kDelete,
                                 Meaning::kRemove,   Meaning::kCancel,   Meaning::kPublish,
                                 Meaning::kAccess};
  const Words words = WordsOf(question);
  const MeaningSet found = MeaningsOf(words);
  const MeaningSet meant = words.size() > kMaxQuestionWords ? found - (found - kGrave) : found;
  AddMeanings(meant, "dialog", question, out);
}

void JudgeType(const RiskAction& action, RiskFindings& out) {
  out.Need(model::TraitsOf(action.type).capability);
  for (const TypeFinding& row : kTypeFindings) {
    if (row.type == action.type) out.Add(row.level, {}, row.code, std::string(row.text));
  }
  if (action.type == Type::kHandleDialog && action.accepts) JudgeQuestion(action.question, out);
}

}  // namespace

void JudgeElement(const RiskInput& input, RiskFindings& out) {
  if (input.action) JudgeType(*input.action, out);
  if (!input.element) return;
  const model::ElementFacts& element = *input.element;
  // A request whose action is not known came from a press.
  const RiskAction action = input.action.value_or(RiskAction{.type = Type::kClick});
  // What is typed is in the field before its line end sends it.
  if (action.type == Type::kType) JudgeFilling(element, out);
  switch (TouchOf(action, element)) {
    case Touch::kNone:
      return;
    case Touch::kFills:
      return JudgeFilling(element, out);
    case Touch::kMaySend:
      return JudgeMaySend(element, out);
    case Touch::kToggles:
      return JudgeToggle(element, out);
    case Touch::kSubmitsForm:
      JudgeSending(element, out);
      return;
    case Touch::kActivates:
      JudgeLabel(element, out);
      JudgeLink(element, out);
      return;
  }
}

}  // namespace falconer::policy
