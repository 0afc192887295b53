// Verdicts about what the action brought about.

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "model/contract/json_compare.h"
#include "model/contract/judge_finding.h"

namespace falconer::model {
namespace {

std::vector<const json::object*> ObjectsIn(const json::array& list) {
  std::vector<const json::object*> out;
  for (const json::value& one : list) {
    if (const json::object* object = one.if_object()) out.push_back(object);
  }
  return out;
}

std::vector<const json::object*> ExchangesOf(const ExchangeFilter& filter,
                                             const json::array& list) {
  std::vector<const json::object*> out = ObjectsIn(list);
  std::erase_if(out, [&filter](const json::object* exchange) {
    const bool is_method =
        filter.method.empty() || TextAt(*exchange, "method").value_or("") == filter.method;
    return !is_method || !filter.url.Matches(TextAt(*exchange, "url").value_or(""));
  });
  return out;
}

// Nothing decided: what was left out could have.
Finding NotFound(const json::object& seen, std::string why) {
  if (HasDropped(seen)) return Unknown(why + ", but not everything was kept");
  return Failed(std::move(why));
}

bool HasSilentFailure(const json::object& exchange) {
  const json::value* flag = exchange.if_contains("silent_failure");
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

Finding FieldFinding(const JsonFieldRule& rule, const json::object& seen,
                     const std::vector<const json::object*>& exchanges) {
  if (exchanges.empty()) return NotFound(seen, "no response of this action matches");
  bool is_missing = false;
  for (const json::object* exchange : exchanges) {
    const std::string_view body = TextAt(*exchange, "body_state").value_or("missing");
    is_missing = is_missing || body == "missing";
    if (body == "json" && FieldHolds(rule, exchange->if_contains("value"))) return Passed();
  }
  if (is_missing) return Unknown("a body could not be read");
  return NotFound(seen, fmt::format("in none of {} responses", exchanges.size()));
}

bool IsSameFile(const FileRule& rule, const json::object& file) {
  if (!rule.artifact_id.empty()) return TextAt(file, "artifact_id") == rule.artifact_id;
  return !rule.name || rule.name->Matches(TextAt(file, "name").value_or(""));
}

// "text/csv; charset=utf-8" is text/csv.
std::string MimeEssence(std::string_view mime) {
  return ToLower(Trim(mime.substr(0, mime.find(';'))));
}

Finding FileFinding(const FileRule& rule, const json::object& file) {
  const auto bytes = CountAt(file, "bytes");
  if (!bytes) return Lacks("bytes");
  if (*bytes < rule.min_size) {
    return Failed(fmt::format("{} bytes, expected at least {}", *bytes, rule.min_size));
  }
  const std::string_view mime = TextAt(file, "mime").value_or("");
  if (!rule.mime.empty() && MimeEssence(mime) != MimeEssence(rule.mime)) {
    return Failed(fmt::format("the type is {}", mime.empty() ? "not known" : mime));
  }
  if (rule.sha256.empty()) return Passed();
  const auto sha256 = TextAt(file, "sha256");
  if (!sha256) return Lacks("sha256");
  return PassedIf(*sha256 == rule.sha256, "the content is another one");
}

bool Counts(const ConsoleRule& rule, const json::object& message) {
  const auto level = ValueIn(kConsoleLevels, TextAt(message, "level").value_or(""));
  if (!level || *level < rule.level) return false;
  const std::string_view text = TextAt(message, "message").value_or("");
  return std::ranges::none_of(rule.allow,
                              [text](const Pattern& allowed) { return allowed.Matches(text); });
}

Finding NewErrors(const json::object& seen) {
  const json::array* before = ListAt(seen, "before");
  const json::array* after = ListAt(seen, "after");
  if (before == nullptr || after == nullptr) return Lacks("before or after");
  const auto fresh = std::ranges::count_if(*after, [before](const json::value& error) {
    return std::ranges::find(*before, error) == before->end();
  });
  return PassedIf(fresh == 0, fmt::format("{} new errors", fresh));
}

Finding NoneListed(const json::object& seen, std::string_view key) {
  const json::array* list = ListAt(seen, key);
  if (list == nullptr) return Lacks(key);
  return PassedIf(list->empty(), fmt::format("{} {}", list->size(), key));
}

Finding NoneCounted(const json::object& seen, std::string_view key) {
  const auto count = CountAt(seen, key);
  if (!count) return Lacks(key);
  if (*count == 0) return HasDropped(seen) ? Unknown("not everything was kept") : Passed();
  return Failed(fmt::format("{}: {}", key, *count));
}

Finding IsSame(const json::object& seen) {
  const auto before = TextAt(seen, "before");
  const auto after = TextAt(seen, "after");
  if (!before || !after) return Lacks("before or after");
  return PassedIf(*before == *after, "it is another one now");
}

Finding NotOpen(const json::object& seen) {
  const json::value* open = seen.if_contains("open");
  if (open == nullptr || !open->is_bool()) return Lacks("open");
  return PassedIf(!open->get_bool(), "a dialog is open");
}

struct InvariantRow {
  Invariant name;
  Finding (*judge)(const json::object&);
};

constexpr InvariantRow kInvariantJudges[] = {
    {Invariant::kNoVisibleErrors,
     [](const json::object& seen) { return NoneListed(seen, "errors"); }},
    {Invariant::kNoNewErrors, NewErrors},
    {Invariant::kNoDialogOpen, NotOpen},
    {Invariant::kNoFailedRequests,
     [](const json::object& seen) { return NoneCounted(seen, "failed"); }},
    {Invariant::kNoSilentFailures,
     [](const json::object& seen) { return NoneCounted(seen, "silent_failures"); }},
    {Invariant::kUrlUnchanged, IsSame},
    {Invariant::kDomUnchanged, IsSame},
};

}  // namespace

Finding JudgeNetworkStatus(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<NetworkStatusRule>(rule.payload);
  const json::array* list = ListAt(seen, "responses");
  if (list == nullptr) return Lacks("responses");
  const auto exchanges = ExchangesOf(wanted.filter, *list);
  const auto is_wanted = [&wanted](const json::object* exchange) {
    const auto status = CountAt(*exchange, "status").value_or(0);
    return wanted.status_min <= status && status <= wanted.status_max;
  };
  if (std::ranges::any_of(exchanges, is_wanted)) return Passed();
  if (exchanges.empty()) return NotFound(seen, "no response of this action matches");
  return NotFound(seen, fmt::format("none of {} responses has such a status", exchanges.size()));
}

Finding JudgeJsonField(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<JsonFieldRule>(rule.payload);
  const json::array* list = ListAt(seen, "responses");
  if (list == nullptr) return Lacks("responses");
  const auto exchanges = ExchangesOf(wanted.filter, *list);
  const bool is_silent = std::ranges::any_of(
      exchanges, [](const json::object* exchange) { return HasSilentFailure(*exchange); });
  if (wanted.requires_no_silent_failure && is_silent) {
    return Failed("a response says success and its body failure");
  }
  return FieldFinding(wanted, seen, exchanges);
}

Finding JudgeFile(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<FileRule>(rule.payload);
  const json::array* list = ListAt(seen, "artifacts");
  if (list == nullptr) return Lacks("artifacts");
  Finding last = Failed("there is no such file");
  for (const json::object* file : ObjectsIn(*list)) {
    if (!IsSameFile(wanted, *file)) continue;
    Finding finding = FileFinding(wanted, *file);
    if (finding.verdict == RuleVerdict::kPassed) return finding;
    // What could not be judged outweighs what was judged and found wanting.
    if (last.verdict != RuleVerdict::kUnknown) last = std::move(finding);
  }
  return last;
}

Finding JudgeConsole(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<ConsoleRule>(rule.payload);
  const json::array* list = ListAt(seen, "messages");
  if (list == nullptr) return Lacks("messages");
  const auto messages = ObjectsIn(*list);
  const auto bad = std::ranges::count_if(
      messages, [&wanted](const json::object* message) { return Counts(wanted, *message); });
  if (bad > 0) return Failed(fmt::format("{} messages", bad));
  return HasDropped(seen) ? Unknown("not every message was kept") : Passed();
}

Finding JudgeNoNewErrors(const VerificationRule&, const json::object& seen) {
  return NewErrors(seen);
}

Finding JudgeInvariant(const VerificationRule& rule, const json::object& seen) {
  const Invariant name = std::get<InvariantRule>(rule.payload).name;
  return kInvariantJudges[std::to_underlying(name)].judge(seen);
}

Finding JudgeVisual(const VerificationRule& rule, const json::object& seen) {
  const auto& wanted = std::get<VisualRule>(rule.payload);
  const json::value* similarity = seen.if_contains("similarity");
  if (similarity == nullptr || !similarity->is_number()) return Lacks("similarity");
  const double seen_similarity = similarity->to_number<double>();
  const bool is_unchanged = seen_similarity >= wanted.similarity_threshold;
  const bool wants_unchanged = wanted.expect == VisualExpectation::kUnchanged;
  return PassedIf(
      is_unchanged == wants_unchanged,
      fmt::format("similarity {}, threshold {}", seen_similarity, wanted.similarity_threshold));
}

Finding JudgeStateHash(const VerificationRule& rule, const json::object& seen) {
  const auto hash = TextAt(seen, "hash_after");
  if (!hash) return Lacks("hash_after");
  const auto& wanted = std::get<StateHashRule>(rule.payload).expected_hash_after;
  return PassedIf(*hash == wanted, "the state is another one");
}

}  // namespace falconer::model
