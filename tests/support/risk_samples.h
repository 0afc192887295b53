#pragma once
// Elements and requests for tests of the risk, and its judgement of them.

#include <string>
#include <utility>

#include "policy/risk/risk.h"

namespace falconer::test {

inline std::string Show(const policy::Risk& risk) {
  return json::serialize(risk.ToJson());
}

inline model::ElementFacts Button(std::string name) {
  return {.role = "button", .name = std::move(name), .tag = "button", .type = "button"};
}

inline model::ElementFacts Link(std::string name, std::string href) {
  return {.role = "link", .name = std::move(name), .tag = "a", .href = std::move(href)};
}

inline model::ElementFacts FieldIn(model::FormFacts form) {
  return {.role = "textbox", .tag = "input", .type = "text", .form = std::move(form)};
}

inline policy::Risk Click(model::ElementFacts element) {
  return policy::AssessRisk({.action = policy::RiskAction{.type = model::ActionType::kClick},
                             .element = std::move(element)});
}

inline policy::Risk PressEnter(model::ElementFacts element) {
  return policy::AssessRisk(
      {.action = policy::RiskAction{.type = model::ActionType::kPress, .key = "Enter"},
       .element = std::move(element)});
}

inline policy::Risk Send(model::RequestFacts request) {
  return policy::AssessRisk({.request = std::move(request)});
}

inline std::string Repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

inline model::RequestFacts Post(std::string url, std::string type, std::string body,
                                std::string resource = "fetch") {
  return {.method = "POST",
          .url = std::move(url),
          .content_type = std::move(type),
          .resource_type = std::move(resource),
          .body = std::move(body)};
}

}  // namespace falconer::test
