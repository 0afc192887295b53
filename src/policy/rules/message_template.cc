#include "policy/rules/message_template.h"

#include <algorithm>
#include <iterator>

#include "base/json/json_reader.h"

namespace falconer::policy {
namespace {

enum class Placeholder : std::uint8_t { kAmount, kDomain, kAgent, kAction, kCapability, kTenant };

constexpr EnumName<Placeholder> kPlaceholders[] = {
    {Placeholder::kAmount, "amount"},         {Placeholder::kDomain, "domain"},
    {Placeholder::kAgent, "agent"},           {Placeholder::kAction, "action"},
    {Placeholder::kCapability, "capability"}, {Placeholder::kTenant, "tenant"},
};

constexpr std::string_view kOpening = "${";

struct MessageFacts {
  const model::PolicyFacts& facts;
  std::string_view domain;
  model::Capability capability;

  std::string Of(Placeholder placeholder) const {
    switch (placeholder) {
      case Placeholder::kAmount:
        return facts.amount ? facts.amount->ToText() : "";
      case Placeholder::kDomain:
        return std::string(domain);
      case Placeholder::kAgent:
        return facts.agent;
      case Placeholder::kAction:
        return facts.action ? std::string(model::ActionName(*facts.action)) : "";
      case Placeholder::kCapability:
        return std::string(model::CapabilityName(capability));
      case Placeholder::kTenant:
        return facts.tenant;
    }
    return "";
  }
};

}  // namespace

std::optional<std::string> UnknownPlaceholder(std::string_view text) {
  for (std::size_t at = text.find(kOpening); at != text.npos; at = text.find(kOpening, at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == text.npos) return std::string(text.substr(at));
    const std::string_view name = text.substr(at + kOpening.size(), end - at - kOpening.size());
    if (!ValueIn(kPlaceholders, name)) return std::string(text.substr(at, end + 1 - at));
  }
  return std::nullopt;
}

std::string FillMessage(std::string_view text, const model::PolicyFacts& facts,
                        std::string_view domain, model::Capability capability) {
  const MessageFacts from{facts, domain, capability};
  std::string out;
  while (true) {
    const std::size_t at = text.find(kOpening);
    const std::size_t end = text.find('}', std::min(at, text.size()));
    if (at == text.npos || end == text.npos) break;
    out += text.substr(0, at);
    const std::string_view name = text.substr(at + kOpening.size(), end - at - kOpening.size());
    const std::optional<Placeholder> placeholder = ValueIn(kPlaceholders, name);
    const std::string value = placeholder ? from.Of(*placeholder) : "";
    out += value.empty() ? "unknown" : value;
    text.remove_prefix(end + 1);
  }
  out += text;
  return out;
}

}  // namespace falconer::policy
