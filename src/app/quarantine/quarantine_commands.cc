#include "app/quarantine/quarantine_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/desk/desk_work.h"
#include "app/host/redaction_host.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

using policy::Quarantine;

Result<Quarantine> QuarantineOf(const Arguments& arguments) {
  TRY_ASSIGN(const SettingsInput input, SettingsInputFrom(arguments));
  TRY_ASSIGN(const LoadedSettings loaded, LoadSettings(input));
  return Quarantine(QuarantineFolder(loaded.values));
}

json::object TextJson(const std::string& digest, const policy::QuarantinedText& kept) {
  return {{"digest", digest},
          {"bytes", kept.text.size()},
          {"verdict", kept.verdict},
          {"provenance", kept.provenance}};
}

// A file that is not what was put away is listed as such: it must not hide the others.
Result<json::object> ListTexts(const Arguments& arguments) {
  TRY_ASSIGN(const Quarantine quarantine, QuarantineOf(arguments));
  TRY_ASSIGN(const std::vector<std::string> digests, quarantine.List());
  json::array rows;
  for (const std::string& digest : digests) {
    const auto kept = quarantine.Release(digest);
    rows.push_back(kept ? TextJson(digest, *kept)
                        : json::object{{"digest", digest}, {"damaged", kept.error().message()}});
  }
  return json::object{{"ok", true}, {"texts", std::move(rows)}};
}

Result<json::object> ShowText(const Arguments& arguments) {
  TRY_ASSIGN(const Quarantine quarantine, QuarantineOf(arguments));
  TRY_ASSIGN(const std::string digest, quarantine.Find(arguments.name));
  TRY_ASSIGN(const policy::QuarantinedText kept, quarantine.Release(digest));
  json::object answer = TextJson(digest, kept);
  answer["ok"] = true;
  answer["text"] = kept.text;
  return answer;
}

std::string RulesOf(const json::object& row) {
  std::vector<std::string> rules;
  const json::value* verdict = row.if_contains("verdict");
  const json::value* list =
      verdict == nullptr ? nullptr : verdict->as_object().if_contains("rules");
  if (list == nullptr || !list->is_array()) return "";
  for (const json::value& rule : list->get_array()) rules.emplace_back(rule.as_string());
  return fmt::format("{}", fmt::join(rules, ","));
}

void PrintTexts(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("texts").as_array();
  if (rows.empty()) terminal.Print("nothing was put away");
  for (const json::value& row : rows) {
    const json::object& text = row.as_object();
    const json::value* bytes = text.if_contains("bytes");
    terminal.Print(bytes == nullptr ? fmt::format("{}  damaged: {}", TextAt(text, "digest"),
                                                  TextAt(text, "damaged"))
                                    : fmt::format("{}  {} bytes  {}", TextAt(text, "digest"),
                                                  bytes->to_number<std::size_t>(), RulesOf(text)));
  }
}

void PrintShown(const json::object& answer, Terminal& terminal) {
  terminal.Print(fmt::format("{}  {}", TextAt(answer, "digest"), RulesOf(answer)));
  terminal.Print(model::PlainText(TextAt(answer, "text")));
}

}  // namespace

int RunQuarantineList(const Arguments& arguments, Terminal& terminal) {
  return RunPlainWork(arguments, terminal, &ListTexts, &PrintTexts);
}

int RunQuarantineShow(const Arguments& arguments, Terminal& terminal) {
  return RunPlainWork(arguments, terminal, &ShowText, &PrintShown);
}

}  // namespace falconer::app
