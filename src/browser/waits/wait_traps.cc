// The leaves that are about things that happen.

#include <utility>

#include "browser/waits/wait_node.h"

namespace falconer::browser {
namespace {

using model::WaitKind;

template <typename Leaf>
const Leaf& LeafOf(const WaitNode& node) {
  return std::get<Leaf>(node.condition.leaf);
}

bool Matches(const std::optional<model::Pattern>& pattern, std::string_view text) {
  return !pattern || pattern->Matches(text);
}

json::object Summary(const model::NetworkEvent& event) {
  return {{"method", std::string_view(event.method)},
          {"url", std::string_view(event.url)},
          {"status", event.status}};
}

void TrapExchange(const WaitScope& scope, WaitNode& node, model::NetworkEventKind wanted) {
  node.traps.push_back(
      scope.tab->network().on_event().Subscribe([&node, wanted](const model::NetworkEvent& event) {
        const auto& rule = LeafOf<model::ExchangeWait>(node);
        const bool is_status = wanted != model::NetworkEventKind::kResponse ||
                               (event.status >= rule.status_min && event.status <= rule.status_max);
        if (event.kind != wanted || !is_status) return;
        if (!rule.method.empty() && rule.method != event.method) return;
        if (Matches(rule.url, event.url)) Satisfy(node, Summary(event));
      }));
}

void TrapDialog(const WaitScope& scope, WaitNode& node) {
  node.traps.push_back(scope.tab->dialogs().OnOpened([&node](const Dialog& dialog) {
    const auto& wanted = LeafOf<model::DialogWait>(node).type;
    if (wanted && ValueIn(model::kDialogTypes, dialog.type) != *wanted) return;
    Satisfy(node, json::object{{"type", std::string_view(dialog.type)},
                               {"message", std::string_view(dialog.message)}});
  }));
}

bool HasReached(DownloadState state, model::DownloadState wanted) {
  switch (wanted) {
    case model::DownloadState::kStarted:
      return true;
    case model::DownloadState::kCompleted:
      return state == DownloadState::kCompleted;
    case model::DownloadState::kFailed:
      return state != DownloadState::kRunning && state != DownloadState::kCompleted;
  }
  return false;
}

void TrapDownload(const WaitScope& scope, WaitNode& node) {
  node.traps.push_back(scope.session.downloads().OnChanged(
      [&node, before = scope.session.downloads().last_seq()](const Download& download) {
        if (download.seq <= before ||
            !HasReached(download.state, LeafOf<model::DownloadWait>(node).state))
          return;
        Satisfy(node, json::object{{"id", std::string_view(download.id)},
                                   {"name", std::string_view(download.name)},
                                   {"sha256", std::string_view(download.sha256)}});
      }));
}

void TrapConsole(const WaitScope& scope, WaitNode& node) {
  node.traps.push_back(
      scope.tab->console().on_entry().Subscribe([&node](const ConsoleEntry& entry) {
        const auto& rule = LeafOf<model::ConsoleWait>(node);
        if (rule.level && entry.level != NameIn(model::kConsoleLevels, *rule.level)) return;
        if (!Matches(rule.message, entry.message)) return;
        Satisfy(node, json::object{{"level", std::string_view(entry.level)},
                                   {"message", std::string_view(entry.message)}});
      }));
}

void TrapWebSocketFrame(const WaitScope& scope, WaitNode& node) {
  node.traps.push_back(
      scope.tab->network().on_websocket().Subscribe([&node](const WebSocketMessage& frame) {
        if (Matches(LeafOf<model::MessageWait>(node).message, frame.payload)) {
          Satisfy(node, json::object{{"url", std::string_view(frame.url)}});
        }
      }));
}

void TrapPopup(const WaitScope& scope, WaitNode& node) {
  node.traps.push_back(scope.session.tabs().on_opened().Subscribe(
      [&node, opener = scope.tab->id()](const std::shared_ptr<Tab>& tab) {
        if (tab->opener() == opener)
          Satisfy(node, json::object{{"tab_id", std::string_view(tab->id().value())}});
      }));
}

}  // namespace

void SetTraps(const WaitScope& scope, WaitNode& node) {
  switch (node.condition.kind) {
    case WaitKind::kResponse:
      return TrapExchange(scope, node, model::NetworkEventKind::kResponse);
    case WaitKind::kRequest:
      return TrapExchange(scope, node, model::NetworkEventKind::kRequest);
    case WaitKind::kDialog:
      return TrapDialog(scope, node);
    case WaitKind::kDownload:
      return TrapDownload(scope, node);
    case WaitKind::kConsole:
      return TrapConsole(scope, node);
    case WaitKind::kWebSocketFrame:
      return TrapWebSocketFrame(scope, node);
    case WaitKind::kPopup:
      return TrapPopup(scope, node);
    default:
      return;
  }
}

void Satisfy(WaitNode& node, json::value observed) {
  if (node.has_happened) return;
  node.has_happened = true;
  node.outcome.observed = std::move(observed);
}

}  // namespace falconer::browser
