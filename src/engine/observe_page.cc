// Observations in the page.

#include <algorithm>
#include <cmath>
#include <utility>

#include "browser/tabs/picture.h"
#include "browser/waits/load_waits.h"
#include "engine/observe.h"
#include "engine/visual_diff.h"

namespace falconer::engine {
namespace {

using model::RuleType;

constexpr int kMostTries = 3;
constexpr int kMostMasked = 50;

struct PageQuestion {
  RuleType type;
  std::string_view what;
};

constexpr PageQuestion kQuestions[] = {
    {RuleType::kElementPresent, "states"},    {RuleType::kTextState, "texts"},
    {RuleType::kAttributeState, "attribute"}, {RuleType::kPropertyState, "property"},
    {RuleType::kComputedStyle, "style"},      {RuleType::kCount, "count"},
};

const model::Target& TargetOf(const model::VerificationRule& rule) {
  if (const auto* element = std::get_if<model::ElementRule>(&rule.payload)) return element->target;
  if (const auto* text = std::get_if<model::TextRule>(&rule.payload)) return text->target;
  if (const auto* count = std::get_if<model::CountRule>(&rule.payload)) return count->target;
  return std::get<model::ElementValueRule>(rule.payload).target;
}

json::object ArgumentsOf(const model::VerificationRule& rule, const browser::BoundTarget& bound) {
  const auto* question = std::ranges::find(kQuestions, rule.type, &PageQuestion::type);
  json::object arguments = bound.Arguments();
  arguments["what"] = question->what;
  if (const auto* value = std::get_if<model::ElementValueRule>(&rule.payload))
    arguments["name"] = std::string_view(value->name);
  return arguments;
}

// Nothing matches in a frame or a document that is not there.
json::object NoMatch() {
  return {{"matches", 0},
          {"states", json::object()},
          {"texts", json::array()},
          {"values", json::array()}};
}

bool IsPlaceGone(ErrorCode code) {
  return code == ErrorCode::kElementNotFound || code == ErrorCode::kFrameDetached ||
         code == ErrorCode::kStaleRef;
}

Task<Result<json::value>> AskPage(CallContext ctx, const ObserveScope* scope) {
  CO_TRY(co_await browser::WaitForPendingNavigation(ctx, scope->tab));
  const auto bound = co_await scope->navigator.Bind(ctx, scope->tab, TargetOf(scope->rule),
                                                    browser::MissingFrame::kFail);
  if (!bound && IsPlaceGone(bound.error().code())) co_return NoMatch();
  CO_TRY(bound);
  CO_TRY_ASSIGN(auto seen, co_await browser::CallScript(ctx, bound->place, "observe",
                                                        ArgumentsOf(scope->rule, *bound)));
  co_return seen;
}

model::Rect RectOf(const json::object& rect) {
  const auto number = [&](std::string_view key) { return rect.at(key).to_number<double>(); };
  return {number("x"), number("y"), number("width"), number("height")};
}

// Where the elements of a mask are, in the viewport. One that matches nothing hides nothing.
Task<Result<std::vector<model::Rect>>> Places(CallContext ctx, const ObserveScope* scope,
                                              model::NamedSelector selector) {
  model::Target target;
  target.selector = std::move(selector);
  target.strictness = model::Strictness::kFirst;
  std::vector<model::Rect> places;
  const auto bound =
      co_await scope->navigator.Bind(ctx, scope->tab, target, browser::MissingFrame::kFail);
  if (!bound && IsPlaceGone(bound.error().code())) co_return places;
  CO_TRY(bound);
  CO_TRY_ASSIGN(const auto found, co_await scope->navigator.Query(ctx, *bound, kMostMasked));
  for (const json::value& element : found.at("elements").as_array())
    places.push_back(RectOf(element.at("rect").as_object()));
  co_return places;
}

Task<Result<VisualDiffOptions>> OptionsOf(CallContext ctx, const ObserveScope* scope) {
  const auto& rule = std::get<model::VisualRule>(scope->rule.payload);
  VisualDiffOptions options{
      .pixel_threshold = rule.pixel_threshold, .region = rule.region, .masks = {}};
  for (const model::Mask& mask : rule.masks) {
    if (const auto* rect = std::get_if<model::Rect>(&mask)) {
      options.masks.push_back(*rect);
      continue;
    }
    CO_TRY_ASSIGN(const auto places,
                  co_await Places(ctx, scope, std::get<model::NamedSelector>(mask)));
    options.masks.insert(options.masks.end(), places.begin(), places.end());
  }
  co_return options;
}

// Rounded, so that the record of it is short and the same everywhere.
json::object DiffJson(const VisualDiff& diff) {
  const auto round = [](double value) { return std::round(value * 1e4) / 1e4; };
  json::object seen{{"similarity", round(diff.similarity)},
                    {"changed_pixels", diff.changed_cells},
                    {"compared_pixels", diff.compared_cells}};
  if (const auto& region = diff.diff_region) {
    seen["diff_region"] = json::array{round(region->x), round(region->y), round(region->width),
                                      round(region->height)};
  }
  return seen;
}

}  // namespace

Observation ObserveElements(CallContext ctx, const ObserveScope* scope) {
  const auto* value = std::get_if<model::ElementValueRule>(&scope->rule.payload);
  if (value != nullptr && model::SecretOf(value->check))
    co_return co_await ObserveSecret(std::move(ctx), scope);
  for (int tries = 1;; ++tries) {
    auto seen = co_await AskPage(ctx, scope);
    const bool is_moving = !seen && browser::IsDocumentGone(seen.error().code());
    if (!is_moving || tries == kMostTries) co_return seen;
  }
}

Observation ObserveUrl(CallContext, const ObserveScope* scope) {
  const std::string url = scope->tab->url();
  co_return json::object{{"url", std::string_view(url)}};
}

Task<Result<GrayImage>> PictureOf(CallContext ctx, std::shared_ptr<browser::Tab> tab) {
  CO_TRY_ASSIGN(const auto png,
                co_await browser::TakePicture(std::move(ctx), std::move(tab),
                                              {.format = "png", .optimize_for_speed = true}));
  co_return GrayImage::FromPng(png);
}

Observation ObserveVisual(CallContext ctx, const ObserveScope* scope) {
  if (!scope->facts.picture_before)
    co_return Fail(ErrorCode::kKernelError, "there is no picture from before the action");
  CO_TRY_ASSIGN(const auto options, co_await OptionsOf(ctx, scope));
  CO_TRY_ASSIGN(const auto after, co_await PictureOf(ctx, scope->tab));
  CO_TRY_ASSIGN(const auto diff, Compare(*scope->facts.picture_before, after, options));
  co_return DiffJson(diff);
}

}  // namespace falconer::engine
