#include "api/tools/predict_words.h"

#include <fmt/format.h>

namespace falconer::api {
namespace {

double AmountAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

const json::object* ObjectAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr ? value->if_object() : nullptr;
}

// What it does, in its own words or by its signature.
std::string IntentOf(const json::object& step) {
  const std::string intent = TextAt(step, "intent");
  return intent.empty() ? SignatureWords(TextAt(step, "signature")) : intent;
}

// A question is a text, or an object that has one.
std::string QuestionOf(const json::object& result) {
  const json::object* question = ObjectAt(result, "question");
  return question != nullptr ? TextAt(*question, "text") : TextAt(result, "question");
}

}  // namespace

std::string SignatureWords(std::string_view signature) {
  const auto parts = ParseJsonObject(signature);
  if (!parts) return std::string(signature);
  std::string words = TextAt(*parts, "type");
  for (const std::string_view key : {"selector", "url", "key"})
    if (const std::string value = TextAt(*parts, key); !value.empty()) words += " " + value;
  return words;
}

std::string PredictionLine(const json::object& prediction) {
  std::string line =
      fmt::format("{:.2f} {} ({}, seen {:g})", AmountAt(prediction, "confidence"),
                  IntentOf(prediction), TextAt(prediction, "source"), AmountAt(prediction, "seen"));
  const json::value* present = prediction.if_contains("present");
  if (present != nullptr && present->is_bool() && !present->get_bool()) line += ", not on the page";
  return line;
}

std::string PlanLine(const json::object& next) {
  const json::object* plan = ObjectAt(next, "plan");
  if (plan == nullptr) return "";
  return fmt::format("{}: {}",
                     IsTrueAt(*plan, "execute") ? "would do the first" : "would do nothing",
                     TextAt(*plan, "reason"));
}

std::string RunStepLine(const json::object& step) {
  std::string line = fmt::format("{} {} {:.2f} {}", TextAt(step, "decision"), IntentOf(step),
                                 AmountAt(step, "confidence"), TextAt(step, "source"));
  if (TextAt(step, "by") == "model") line += ", by a model";
  const json::object* healed = ObjectAt(step, "healed");
  if (healed != nullptr) line += ", healed: " + TextAt(*healed, "selector");
  if (const std::string reason = TextAt(step, "reason"); !reason.empty()) line += ": " + reason;
  return line;
}

std::string RunEndLine(const json::object& result) {
  const std::string workflow = TextAt(result, "workflow");
  std::string line =
      fmt::format("{} {} in {}", TextAt(result, "outcome"),
                  workflow.empty() ? "a run by prediction" : workflow, TextAt(result, "session"));
  if (const std::string reason = TextAt(result, "reason"); !reason.empty()) line += ": " + reason;
  if (const std::string question = QuestionOf(result); !question.empty()) line += "\n" + question;
  return line;
}

}  // namespace falconer::api
