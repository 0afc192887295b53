#pragma once
// The field tables of StructuredState and its parts: names on the wire and who sees what.

#include "model/fields.h"
#include "model/state/state.h"

namespace falconer::model {

template <>
struct EnumNames<PagePhase> {
  static constexpr EnumName<PagePhase> kTable[] = {
      {PagePhase::kLoading, "loading"},
      {PagePhase::kInteractive, "interactive"},
      {PagePhase::kComplete, "complete"},
  };
};

template <>
struct EnumNames<TextKind> {
  static constexpr EnumName<TextKind> kTable[] = {
      {TextKind::kText, "text"},   {TextKind::kHeading, "heading"}, {TextKind::kCell, "cell"},
      {TextKind::kLabel, "label"}, {TextKind::kAlert, "alert"},     {TextKind::kStatus, "status"},
      {TextKind::kList, "list"},
  };
};

template <>
struct EnumNames<ErrorKind> {
  static constexpr EnumName<ErrorKind> kTable[] = {
      {ErrorKind::kBanner, "banner"},
      {ErrorKind::kField, "field"},
  };
};

// true, false or "mixed", as pages and models write it.
inline json::value Encode(Toggle value, FieldSet) {
  if (value == Toggle::kMixed) return json::value("mixed");
  return json::value(value == Toggle::kOn);
}

inline Decoded Decode(const json::value& in, Toggle& out) {
  if (const bool* on = in.if_bool()) {
    out = *on ? Toggle::kOn : Toggle::kOff;
    return {};
  }
  if (const json::string* word = in.if_string(); word != nullptr && *word == "mixed") {
    out = Toggle::kMixed;
    return {};
  }
  return WrongType("bool or \"mixed\"", in);
}

template <>
struct Fields<FrameState> {
  using S = FrameState;
  static constexpr auto kAll = std::tuple(
      Field{"fid", &S::fid}, Field{"parent_fid", &S::parent_fid}, Field{"origin", &S::origin},
      Field{"title", &S::title}, Field{"visible", &S::visible},
      Field{"interactive_count", &S::interactive_count, FieldUse::kSight});
};

template <>
struct Fields<OptionState> {
  using S = OptionState;
  static constexpr auto kAll =
      std::tuple(Field{"label", &S::label}, Field{"selected", &S::selected});
};

template <>
struct Fields<TextVisibility> {
  using S = TextVisibility;
  static constexpr auto kAll = std::tuple(
      Field{"font_px", &S::font_px}, Field{"opacity", &S::opacity},
      Field{"contrast_ratio", &S::contrast_ratio}, Field{"is_displayed", &S::is_displayed},
      Field{"is_clipped_away", &S::is_clipped_away}, Field{"is_off_screen", &S::is_off_screen},
      Field{"is_covered", &S::is_covered}, Field{"is_aria_hidden", &S::is_aria_hidden},
      Field{"is_empty_box", &S::is_empty_box}, Field{"is_attribute", &S::is_attribute});
};

template <>
struct Fields<ElementState> {
  using S = ElementState;
  static constexpr auto kAll = std::tuple(
      Field{"ref", &S::ref}, Field{"fid", &S::fid}, Field{"role", &S::role},
      Field{"name", &S::name}, Field{"tag", &S::tag, FieldUse::kInternal}, Field{"type", &S::type},
      Field{"enabled", &S::enabled}, Field{"visible", &S::visible},
      Field{"in_viewport", &S::in_viewport, FieldUse::kSight}, Field{"focused", &S::focused},
      Field{"required", &S::required}, Field{"readonly", &S::readonly},
      Field{"invalid", &S::invalid}, Field{"checked", &S::checked}, Field{"pressed", &S::pressed},
      Field{"selected", &S::selected}, Field{"expanded", &S::expanded}, Field{"level", &S::level},
      Field{"secret", &S::secret}, Field{"filled", &S::filled}, Field{"value_hint", &S::value_hint},
      Field{"placeholder", &S::placeholder}, Field{"options", &S::options},
      Field{"options_total", &S::options_total}, Field{"href", &S::href},
      Field{"description", &S::description}, Field{"form", &S::form}, Field{"group", &S::group},
      Field{"in_overlay", &S::in_overlay}, Field{"obscured", &S::obscured, FieldUse::kSight},
      Field{"bbox", &S::bbox, FieldUse::kPlace},
      Field{"selector_hints", &S::selector_hints, FieldUse::kInternal},
      Field{"stability", &S::stability, FieldUse::kInternal},
      Field{"unseen", &S::unseen, FieldUse::kInternal});
};

template <>
struct Fields<TextState> {
  using S = TextState;
  static constexpr auto kAll =
      std::tuple(Field{"ref", &S::ref}, Field{"fid", &S::fid}, Field{"kind", &S::kind},
                 Field{"level", &S::level}, Field{"text", &S::text},
                 Field{"unseen", &S::unseen, FieldUse::kInternal});
};

template <>
struct Fields<FormState> {
  using S = FormState;
  static constexpr auto kAll =
      std::tuple(Field{"ref", &S::ref}, Field{"fid", &S::fid}, Field{"name", &S::name},
                 Field{"fields", &S::fields}, Field{"required_missing", &S::required_missing},
                 Field{"submit", &S::submit}, Field{"invalid", &S::invalid});
};

template <>
struct Fields<ErrorState> {
  using S = ErrorState;
  static constexpr auto kAll =
      std::tuple(Field{"ref", &S::ref}, Field{"fid", &S::fid}, Field{"kind", &S::kind},
                 Field{"text", &S::text}, Field{"field", &S::field},
                 Field{"unseen", &S::unseen, FieldUse::kInternal});
};

template <>
struct Fields<DialogState> {
  using S = DialogState;
  static constexpr auto kAll = std::tuple(Field{"type", &S::type}, Field{"message", &S::message},
                                          Field{"default_prompt", &S::default_prompt});
};

template <>
struct Fields<TabState> {
  using S = TabState;
  static constexpr auto kAll = std::tuple(Field{"tab_id", &S::tab_id}, Field{"url", &S::url},
                                          Field{"title", &S::title}, Field{"active", &S::active});
};

template <>
struct Fields<DownloadEntry> {
  using S = DownloadEntry;
  static constexpr auto kAll =
      std::tuple(Field{"id", &S::id}, Field{"name", &S::name}, Field{"state", &S::state},
                 Field{"received", &S::received, FieldUse::kSight}, Field{"total", &S::total},
                 Field{"sha256", &S::sha256});
};

template <>
struct Fields<ConsoleEntry> {
  using S = ConsoleEntry;
  static constexpr auto kAll =
      std::tuple(Field{"kind", &S::kind}, Field{"message", &S::message}, Field{"count", &S::count});
};

template <>
struct Fields<NetworkFailureState> {
  using S = NetworkFailureState;
  static constexpr auto kAll = std::tuple(
      Field{"route_key", &S::route_key}, Field{"status", &S::status},
      Field{"status_class", &S::status_class}, Field{"error_signature", &S::error_signature},
      Field{"latency_ms", &S::latency_ms, FieldUse::kSight});
};

template <>
struct Fields<NetworkState> {
  using S = NetworkState;
  static constexpr auto kAll = std::tuple(
      Field{"requests", &S::requests}, Field{"responses", &S::responses},
      Field{"failed", &S::failed}, Field{"client_errors", &S::client_errors},
      Field{"server_errors", &S::server_errors}, Field{"silent_failures", &S::silent_failures},
      Field{"dropped", &S::dropped}, Field{"failures", &S::failures});
};

template <>
struct Fields<ScrollState> {
  using S = ScrollState;
  static constexpr auto kAll = std::tuple(Field{"x", &S::x}, Field{"y", &S::y},
                                          Field{"max_x", &S::max_x}, Field{"max_y", &S::max_y});
};

template <>
struct Fields<ViewportState> {
  using S = ViewportState;
  static constexpr auto kAll = std::tuple(Field{"width", &S::width}, Field{"height", &S::height});
};

template <>
struct Fields<SectionBudget> {
  using S = SectionBudget;
  static constexpr auto kAll = std::tuple(Field{"total", &S::total}, Field{"omitted", &S::omitted});
};

template <>
struct Fields<BudgetState> {
  using S = BudgetState;
  static constexpr auto kAll =
      std::tuple(Field{"frames", &S::frames}, Field{"elements", &S::elements},
                 Field{"texts", &S::texts}, Field{"forms", &S::forms}, Field{"errors", &S::errors});
};

// The single values of a state. Its ids are handled by those who give them out.
template <>
struct Fields<StructuredState> {
  using S = StructuredState;
  static constexpr auto kAll =
      std::tuple(Field{"tab_id", &S::tab_id}, Field{"url", &S::url}, Field{"title", &S::title},
                 Field{"phase", &S::phase}, Field{"focus", &S::focus},
                 Field{"scroll", &S::scroll, FieldUse::kSight},
                 Field{"viewport", &S::viewport, FieldUse::kPlace},
                 Field{"budget", &S::budget, FieldUse::kSight},
                 Field{"network", &S::network, FieldUse::kSight});
};

// A list in a state.
template <typename T>
struct ListSection {
  using Item = T;
  Section section;
  std::vector<T> StructuredState::* list;
};

inline constexpr auto kListSections =
    std::tuple(ListSection{Section::kFrames, &StructuredState::frames},
               ListSection{Section::kElements, &StructuredState::elements},
               ListSection{Section::kTexts, &StructuredState::texts},
               ListSection{Section::kForms, &StructuredState::forms},
               ListSection{Section::kErrors, &StructuredState::errors},
               ListSection{Section::kDialogs, &StructuredState::dialogs},
               ListSection{Section::kTabs, &StructuredState::tabs},
               ListSection{Section::kDownloads, &StructuredState::downloads},
               ListSection{Section::kConsole, &StructuredState::console_errors});

template <typename Visit>
constexpr void ForEachList(Visit&& visit) {
  std::apply([&](const auto&... section) { (visit(section), ...); }, kListSections);
}

// Does the section take part in the state_id?
constexpr bool IsContent(Section section) {
  return section != Section::kConsole && section != Section::kNetwork;
}

}  // namespace falconer::model
