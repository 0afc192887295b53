#include "policy/rules/policy_document.h"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "policy/rules/rule_reader.h"

namespace falconer::policy {
namespace {

struct Following {
  RuleSet set;
  RuleSet next;
};

constexpr Following kFollowing[] = {
    {RuleSet::kConnect, RuleSet::kNavigate}, {RuleSet::kRedirect, RuleSet::kNavigate},
    {RuleSet::kNavigate, RuleSet::kActions}, {RuleSet::kDownload, RuleSet::kActions},
    {RuleSet::kUpload, RuleSet::kActions},
};

class DocumentReader {
 public:
  explicit DocumentReader(const std::filesystem::path& zones) : zones_(zones) {}

  Result<PolicyDocument> Read(const YamlNode& root);

 private:
  Result<void> ReadHead(const Spot& spot);
  Result<void> ReadDefaults(const Spot& spot);
  Result<std::vector<Rule>> ReadRules(const Spot& spot);

  PolicyDocument document_;
  ConditionDefaults defaults_;
  ZoneList zones_;
  std::map<std::string, int, std::less<>> lines_;  // of rules, by their names
};

Result<void> DocumentReader::ReadHead(const Spot& spot) {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  TRY_ASSIGN(const Spot name, in.Required("name"));
  TRY_ASSIGN(document_.name, ReadText(name));
  TRY_ASSIGN(const Spot version, in.Required("version"));
  TRY_ASSIGN(document_.version, ReadText(version));
  if (const auto description = in.Optional("description")) {
    TRY_ASSIGN(document_.description, ReadText(*description));
  }
  if (const auto mode = in.Optional("mode")) {
    TRY_ASSIGN(document_.mode, ReadEnum(*mode, kPolicyModes));
  }
  return in.Done();
}

Result<void> DocumentReader::ReadDefaults(const Spot& spot) {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  if (const auto allow = in.Optional("allow")) {
    TRY_ASSIGN(const bool allows, ReadBool(*allow));
    if (allows) return allow->Refuse("what no rule allows is denied; write a rule that allows it");
  }
  if (const auto audit = in.Optional("audit")) {
    TRY_ASSIGN(document_.audit, ReadAudit(*audit));
  }
  if (const auto currency = in.Optional("currency")) {
    TRY_ASSIGN(defaults_.currency, ReadCurrency(*currency));
  }
  if (const auto zone = in.Optional("timezone")) {
    TRY_ASSIGN(defaults_.timezone, ReadText(*zone));
    const auto found = zones_.Find(defaults_.timezone);
    if (!found) return zone->Refuse(found.error().message());
  }
  return in.Done();
}

Result<std::vector<Rule>> DocumentReader::ReadRules(const Spot& spot) {
  std::vector<Rule> rules;
  // An empty list is a set of its own, which allows nothing.
  if (spot.is_list() && spot.node->items.empty()) return rules;
  TRY_ASSIGN(const std::vector<Spot> items, ReadItems(spot));
  if (items.size() > kMaxRulesPerSet) {
    return spot.Refuse(fmt::format("has more than {} rules", kMaxRulesPerSet));
  }
  const ConditionReader conditions(defaults_, zones_);
  for (const Spot& item : items) {
    TRY_ASSIGN(Rule rule, ReadRule(item, conditions, defaults_));
    const auto [first, is_new] = lines_.try_emplace(rule.name, rule.line);
    if (!is_new) {
      return item.Refuse(
          fmt::format("there is another rule named \"{}\", in line {}", rule.name, first->second));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

Result<PolicyDocument> DocumentReader::Read(const YamlNode& root) {
  const Spot spot{.node = &root, .key = nullptr, .path = ""};
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  TRY_ASSIGN(const Spot head, in.Required("policy"));
  TRY(ReadHead(head));
  if (const auto defaults = in.Optional("defaults")) TRY(ReadDefaults(*defaults));
  for (const auto& [set, name] : kRuleSets) {
    if (const auto rules = in.Optional(name)) {
      TRY_ASSIGN(document_.sets[std::to_underlying(set)], ReadRules(*rules));
    }
  }
  TRY(in.Done());
  document_.zones = std::move(zones_).Take();
  return std::move(document_);
}

}  // namespace

Result<PolicyDocument> PolicyDocument::Parse(std::string_view yaml,
                                             const std::filesystem::path& zones) {
  TRY_ASSIGN(const YamlNode root, ParseYaml(yaml));
  return DocumentReader(zones).Read(root);
}

json::object PolicyDocument::ToJson() const {
  json::array notify(audit.notify.begin(), audit.notify.end());
  json::object out{
      {"name", name},
      {"version", version},
      {"description", description},
      {"mode", NameIn(kPolicyModes, mode)},
      {"audit", {{"level", NameIn(kAuditLevels, audit.level)}, {"notify", std::move(notify)}}}};
  for (const auto& [set, set_name] : kRuleSets) {
    const auto& rules = sets[std::to_underlying(set)];
    if (!rules) continue;
    json::array list;
    for (const Rule& rule : *rules) list.push_back(rule.ToJson());
    out[set_name] = std::move(list);
  }
  return out;
}

RuleSet FollowedBy(RuleSet set, const PolicyDocument& document) {
  for (const Following& row : kFollowing) {
    if (row.set == set && !document.sets[std::to_underlying(set)]) {
      return FollowedBy(row.next, document);
    }
  }
  return set;
}

}  // namespace falconer::policy
