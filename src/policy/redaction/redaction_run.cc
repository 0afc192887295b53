#include "policy/redaction/redaction_run.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "policy/redaction/mask.h"
#include "policy/redaction/text_scanner.h"

namespace falconer::policy {
namespace {

constexpr int kDeepestText = 4;
constexpr int kMostPasses = 8;
// Members of our own records that hold what pages and callers said: other numbers are counts and
// times of ours, whatever secret they happen to equal.
constexpr std::string_view kForeign[] = {"extracted", "observed", "js_argument"};

// {"secret":"NAME"} or {"secret":"NAME","field":"username"}: names a secret, holds none.
bool IsSecretReference(const json::object& object) {
  const json::value* name = object.if_contains("secret");
  if (name == nullptr || !name->is_string()) return false;
  const json::value* field = object.if_contains("field");
  const bool has_field = field != nullptr && field->is_string();
  return object.size() == (has_field ? 2 : 1);
}

// Fields that name another field: {"name":"password","value":"..."}, as forms and headers are
// listed, and {"selector":"label=Password","text":"..."}, as actions say what is typed where.
constexpr std::string_view kNaming[] = {"name", "key", "field", "header", "label", "selector"};
constexpr std::string_view kNamed[] = {"value", "val", "content", "text"};

std::optional<FieldMeaning> MeaningByPair(const json::object& object) {
  for (const std::string_view naming : kNaming) {
    const json::value* name = object.if_contains(naming);
    if (name == nullptr || !name->is_string()) continue;
    if (const auto meaning = MeaningOfField(name->get_string())) return meaning;
  }
  return std::nullopt;
}

bool IsNamed(std::string_view key) {
  return std::ranges::find(kNamed, key) != std::end(kNamed);
}

// Known values first: what overlaps one is all of it secret, whatever else it looks like.
Findings Merged(Findings known, const Findings& found) {
  Findings out;
  out.reserve(known.size() + found.size());
  std::ranges::merge(known, found, std::back_inserter(out), {}, &Finding::begin, &Finding::begin);
  Findings merged;
  for (const Finding& next : out) {
    if (merged.empty() || merged.back().end <= next.begin) {
      merged.push_back(next);
      continue;
    }
    Finding& last = merged.back();
    last.end = std::max(last.end, next.end);
    if (next.kind != FindingKind::kKnownSecret) continue;
    last.kind = next.kind;
    last.secret = next.secret;
  }
  return merged;
}

bool MayBeJson(std::string_view text) {
  const std::string_view inside = Trim(text);
  return text.size() > 1 && (inside.starts_with('{') || inside.starts_with('['));
}

}  // namespace

bool RedactionRun::IsWanted(const Finding& finding) const {
  const FindingTraits& traits = TraitsOf(finding.kind);
  const bool is_guess = traits.confidence == Confidence::kLikely;
  if (is_guess && surface_ == Surface::kModel) return false;
  return ActionFor(surface_, traits.payload, redactor_.options_.level) != RedactionAction::kAllow;
}

Findings RedactionRun::Find(std::string_view text) const {
  Findings found;
  ScanText(text, found);
  std::erase_if(found, [&](const Finding& finding) { return !IsWanted(finding); });
  if (known_ == nullptr || known_->empty()) return found;
  Findings known;
  known_->Search(text, known);
  return known.empty() ? found : Merged(std::move(known), found);
}

// What is replaced can uncover what stood beside it: the text is looked at until nothing is found,
// so that redacting again changes nothing.
std::optional<std::string> RedactionRun::Redacted(std::string_view text) {
  std::optional<std::string> redacted = RedactedOnce(text);
  for (int i = 0; redacted && i < kMostPasses; ++i) {
    std::optional<std::string> again = RedactedOnce(*redacted);
    if (!again || *again == *redacted) break;
    redacted = std::move(again);
  }
  return redacted;
}

std::optional<std::string> RedactionRun::RedactedOnce(std::string_view text) {
  const Findings findings = Find(text);
  if (findings.empty()) return std::nullopt;
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (const Finding& finding : findings) {
    out += text.substr(done, finding.begin - done);
    const std::string_view value = text.substr(finding.begin, finding.end - finding.begin);
    if (finding.kind == FindingKind::kKnownSecret) {
      out += "[secret " + known_->NameOf(finding.secret) + "]";
    } else {
      out += redactor_.Replacement(surface_, finding.kind, value);
    }
    tally_.Count(finding.kind);
    done = finding.end;
  }
  out += text.substr(done);
  return out;
}

void RedactionRun::Text(std::string& text) {
  if (auto redacted = Redacted(text)) text = *std::move(redacted);
}

void RedactionRun::Value(json::value& value) {
  Walk(value, std::nullopt);
}

void RedactionRun::Object(json::object& object) {
  WalkObject(object, std::nullopt);
}

void RedactionRun::Field(std::string_view name, json::value& value) {
  Walk(value, MeaningOfField(name));
}

std::string RedactionRun::Whole(const FieldMeaning& meaning, std::string_view value) {
  std::string out = redactor_.Replacement(surface_, meaning.kind, value);
  if (out != value) tally_.Count(meaning.kind);
  return out;
}

void RedactionRun::Walk(json::value& value, const Meaning& meaning) {
  if (json::string* text = value.if_string()) return WalkString(*text, meaning);
  if (json::object* object = value.if_object()) return WalkObject(*object, meaning);
  if (json::array* array = value.if_array()) {
    for (json::value& element : *array) Walk(element, meaning);
    return;
  }
  if (value.is_number()) WalkNumber(value, meaning);
}

void RedactionRun::WalkNumber(json::value& value, const Meaning& meaning) {
  if (meaning && meaning->numbers == NumberRule::kIsSecretToo) {
    value = Whole(*meaning, json::serialize(value));
    return;
  }
  // A secret of digits alone may stand here without quotes.
  if (known_ == nullptr || known_->empty() || value.is_double()) return;
  if (!looks_at_numbers_ && !is_foreign_) return;
  const std::string text = json::serialize(value);
  Findings known;
  known_->Search(text, known);
  const bool is_whole = known.size() == 1 && known[0].end - known[0].begin == text.size();
  if (is_whole) value = Redacted(text).value_or(std::string(kStars));
}

void RedactionRun::WalkObject(json::object& object, const Meaning& meaning) {
  // What pages and callers said refers to nothing, and a name that tells a secret is none.
  const bool is_own = IsSecretReference(object) && !is_foreign_;
  if (is_own && !Redacted(std::string(object.at("secret").get_string()))) return;
  const Meaning pair = MeaningByPair(object);
  for (auto& [key, value] : object) {
    Meaning own = meaning;
    if (!own && pair && IsNamed(key)) own = pair;
    if (!own) own = MeaningOfField(key);
    const bool is_foreign =
        std::ranges::find(kForeign, std::string_view(key)) != std::end(kForeign);
    const bool before = std::exchange(is_foreign_, is_foreign_ || is_foreign);
    Walk(value, own);
    is_foreign_ = before;
  }
  Keys(object);
}

// A secret can stand where names do.
void RedactionRun::Keys(json::object& object) {
  if (known_ == nullptr || known_->empty()) return;
  const auto holds_secret = [&](const auto& member) {
    Findings known;
    known_->Search(member.key(), known);
    return !known.empty();
  };
  if (std::ranges::none_of(object, holds_secret)) return;
  json::object renamed;
  for (auto& [key, value] : object) {
    const auto name = Redacted(key);
    renamed[name ? std::string_view(*name) : std::string_view(key)] = std::move(value);
  }
  object = std::move(renamed);
}

void RedactionRun::WalkString(json::string& text, const Meaning& meaning) {
  const std::string_view value = text;
  if (meaning && !value.empty()) {
    const bool is_flag = value == "true" || value == "false";
    const bool is_count = meaning->numbers == NumberRule::kStays && value.size() < 8 &&
                          std::ranges::all_of(value, IsDigit);
    if (is_flag || is_count) return;
    const std::string whole = Whole(*meaning, value);
    // Known values are looked for in what a mask shows, too.
    const auto rest = Redacted(whole);
    text = rest ? *rest : whole;
    return;
  }
  if (const auto nested = RedactedJson(value)) {
    text = *nested;
  } else if (const auto redacted = Redacted(value)) {
    text = *redacted;
  }
}

// JSON in a text: its fields say more than the text does. It is written anew only when something
// was found.
std::optional<std::string> RedactionRun::RedactedJson(std::string_view text) {
  if (depth_ >= kDeepestText || !MayBeJson(text)) return std::nullopt;
  auto parsed = ParseJson(text);
  if (!parsed) return std::nullopt;
  const int before = tally_.total();
  ++depth_;
  Walk(*parsed, std::nullopt);
  --depth_;
  if (tally_.total() == before) return std::nullopt;
  std::string out = json::serialize(*parsed);
  // Names of fields are text too.
  if (const auto rest = Redacted(out)) return rest;
  return out;
}

}  // namespace falconer::policy
