#include "app/policy/policy_commands.h"

#include <fmt/format.h>

#include "app/desk/option_values.h"
#include "app/policy/example_policies.h"
#include "app/policy/policy_question.h"
#include "base/file.h"
#include "base/units.h"

namespace falconer::app {
namespace {

struct ExampleRow {
  std::string_view name;
  std::string_view (*text)();
};

constexpr ExampleRow kExamples[] = {
    {"domain-allowlist", &DomainAllowlistPolicy},
    {"purchase-limit", &PurchaseLimitPolicy},
    {"mail-read-only", &MailReadOnlyPolicy},
    {"working-hours", &WorkingHoursPolicy},
};

Result<std::string_view> ExampleNamed(std::string_view name) {
  for (const ExampleRow& row : kExamples) {
    if (name.empty() || row.name == name) return row.text();
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("--from {}: expected purchase-limit, mail-read-only, domain-allowlist or "
                          "working-hours",
                          name));
}

Result<void> WriteExample(const Arguments& arguments) {
  TRY_ASSIGN(const std::string_view text, ExampleNamed(arguments.example));
  std::error_code failure;
  if (std::filesystem::exists(arguments.file, failure)) {
    return Fail(ErrorCode::kAlreadyExists,
                fmt::format("{} is there already", arguments.file.string()));
  }
  return WriteFileAtomic(arguments.file, text);
}

std::size_t CountRules(const policy::PolicyDocument& document) {
  std::size_t count = 0;
  for (const auto& rules : document.sets) count += rules ? rules->size() : 0;
  return count;
}

Ink InkOf(policy::Effect effect) {
  switch (effect) {
    case policy::Effect::kDeny:
      return Ink::kRed;
    case policy::Effect::kRequireApproval:
      return Ink::kYellow;
    default:
      return Ink::kGreen;
  }
}

Ink InkOf(policy::Truth truth) {
  switch (truth) {
    case policy::Truth::kTrue:
      return Ink::kGreen;
    case policy::Truth::kUnknown:
      return Ink::kYellow;
    case policy::Truth::kFalse:
      return Ink::kDim;
  }
  return Ink::kPlain;
}

void PrintDecision(Terminal& terminal, const policy::PolicyDecision& decision) {
  terminal.Print(fmt::format(
      "{}: {}",
      terminal.Paint(InkOf(decision.would_be), NameIn(policy::kEffects, decision.would_be)),
      decision.reason));
  if (decision.outcome != decision.would_be) {
    terminal.Print("  the policy only observes: nothing is enforced");
  }
  for (const policy::MatchedRule& match : decision.matched) {
    terminal.Print(
        fmt::format("  {} \"{}\"{}", NameIn(policy::kEffects, match.effect), match.name,
                    match.truth == policy::Truth::kUnknown ? " (cannot be ruled out)" : ""));
  }
  for (const policy::RateDemand& limit : decision.rate_limits) {
    terminal.Print(fmt::format(
        "  at most {} in {}, counted as {}{}", limit.max, FormatDuration(limit.period), limit.key,
        limit.truth == policy::Truth::kUnknown ? " (cannot be ruled out)" : ""));
  }
  if (decision.approval && !decision.approval->message.empty()) {
    terminal.Print("  message: " + decision.approval->message);
  }
}

void PrintRisk(Terminal& terminal, const policy::Risk& risk) {
  terminal.Print(fmt::format("risk: {}", NameIn(model::kRiskLevels, risk.level)));
  for (const policy::RiskReason& reason : risk.reasons) terminal.Print("  " + reason.text);
}

void PrintTrace(Terminal& terminal, const policy::ConditionTrace& trace, std::size_t depth) {
  const std::string indent(depth * 2, ' ');
  const std::string_view truth = NameIn(policy::kTruths, trace.truth);
  terminal.Print(fmt::format("{}{} {}{}", indent, terminal.Paint(InkOf(trace.truth), truth),
                             trace.asked,
                             trace.saw.empty() ? "" : fmt::format("  saw {}", trace.saw)));
  for (const policy::ConditionTrace& child : trace.children) {
    PrintTrace(terminal, child, depth + 1);
  }
}

// A policy and what is asked of it.
struct Asked {
  policy::Policy policy;
  PolicyQuestion question;
};

Result<Asked> ReadAsked(const Arguments& arguments) {
  TRY_ASSIGN(PolicyQuestion question, PolicyQuestionOf(arguments, SystemClock().WallNow()));
  TRY_ASSIGN(policy::Policy policy, policy::Policy::Load(arguments.file));
  return Asked{.policy = std::move(policy), .question = std::move(question)};
}

int CodeOf(const PolicyQuestion& question, policy::Effect decided) {
  const bool allows = decided == policy::Effect::kAllow || decided == policy::Effect::kConstrain;
  const bool is_good = question.expected ? decided == *question.expected : allows;
  return is_good ? kExitOk : kExitFailed;
}

json::object AnswerJson(const PolicyQuestion& question, int code) {
  json::object answer{{"ok", code == kExitOk}};
  if (question.expected) answer["expected"] = NameIn(policy::kEffects, *question.expected);
  if (question.asked.risk) answer["risk"] = question.asked.risk->ToJson();
  return answer;
}

}  // namespace

int RefusePolicy(const Arguments& arguments, Terminal& terminal, const Error& error) {
  if (!error.details().contains("line")) return Refuse(arguments, terminal, error);
  PrintError(terminal, arguments.form(), error, "docs/policy.md says what a policy may hold");
  return kExitUsage;
}

int RunPolicyInit(const Arguments& arguments, Terminal& terminal) {
  const auto written = WriteExample(arguments);
  if (!written) return Refuse(arguments, terminal, written.error());
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", true}, {"file", arguments.file.string()}});
  } else {
    terminal.Print(
        fmt::format("{}: written; docs/policy.md says how to change it", arguments.file.string()));
  }
  return kExitOk;
}

int RunPolicyValidate(const Arguments& arguments, Terminal& terminal) {
  const auto policy = policy::Policy::Load(arguments.file);
  if (!policy) return RefusePolicy(arguments, terminal, policy.error());
  const policy::PolicyDocument& document = policy->document();
  const std::size_t count = CountRules(document);
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", true},
                                     {"file", arguments.file.string()},
                                     {"name", document.name},
                                     {"version", document.version},
                                     {"mode", NameIn(policy::kPolicyModes, document.mode)},
                                     {"rules", count},
                                     {"digest", policy->digest()}});
  } else {
    terminal.Print(fmt::format("{}: ok, {} {} with {} {}, digest {}", arguments.file.string(),
                               document.name, document.version, count,
                               count == 1 ? "rule" : "rules", policy->digest().substr(0, 12)));
  }
  return kExitOk;
}

int RunPolicyTest(const Arguments& arguments, Terminal& terminal) {
  const auto asked = ReadAsked(arguments);
  if (!asked) return RefusePolicy(arguments, terminal, asked.error());
  const PolicyQuestion& question = asked->question;
  const policy::PolicyDecision decision =
      asked->policy.Decide(question.asked.set, question.asked.facts);
  const int code = CodeOf(question, decision.would_be);
  if (arguments.wants_json) {
    json::object answer = AnswerJson(question, code);
    answer["decision"] = decision.ToJson();
    PrintJson(terminal, answer);
    return code;
  }
  if (question.asked.risk) PrintRisk(terminal, *question.asked.risk);
  PrintDecision(terminal, decision);
  if (question.expected && code != kExitOk) {
    terminal.Print(fmt::format("  expected {}", NameIn(policy::kEffects, *question.expected)));
  }
  return code;
}

int RunPolicyExplain(const Arguments& arguments, Terminal& terminal) {
  const auto asked = ReadAsked(arguments);
  if (!asked) return RefusePolicy(arguments, terminal, asked.error());
  const PolicyQuestion& question = asked->question;
  const policy::Explanation why = asked->policy.Explain(question.asked.set, question.asked.facts);
  const int code = CodeOf(question, why.decision.would_be);
  if (arguments.wants_json) {
    json::object answer = AnswerJson(question, code);
    for (auto& [key, value] : why.ToJson()) answer[key] = value;
    PrintJson(terminal, answer);
    return code;
  }
  if (question.asked.risk) PrintRisk(terminal, *question.asked.risk);
  for (const policy::RuleTrace& trace : why.rules) {
    terminal.Print(fmt::format("{} \"{}\" for {}", NameIn(policy::kEffects, trace.effect),
                               trace.rule, model::CapabilityName(trace.capability)));
    PrintTrace(terminal, trace.when, 1);
  }
  PrintDecision(terminal, why.decision);
  return code;
}

}  // namespace falconer::app
