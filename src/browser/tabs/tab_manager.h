#pragma once
// TabManager: the tabs of a session. Ids are t1, t2, ... and are never used again; popups are
// adopted; the active tab is the one actions go to when none is named.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "browser/tabs/tab.h"

namespace falconer::browser {

struct TabInfo {
  TabId id;
  std::string url;
  std::string title;
  bool is_active = false;
  TabPhase phase = TabPhase::kLive;
  std::optional<TabId> opener;
};

class TabManager {
 public:
  // `options` and `holds` must outlive the manager.
  TabManager(std::shared_ptr<cdp::Session> root, std::string context_id,
             const SessionOptions& options, RequestHolds& holds);
  TabManager(const TabManager&) = delete;
  TabManager& operator=(const TabManager&) = delete;

  // Opens a tab on about:blank and makes it the active one.
  Task<Result<std::shared_ptr<Tab>>> Open(CallContext ctx);
  // Closes a tab. `beforeunload` handlers do not run, and what is held of it never leaves.
  Task<Result<void>> Close(CallContext ctx, TabId id);
  Result<std::shared_ptr<Tab>> Switch(const TabId& id);

  // kTabClosed when the session has no tab left.
  Result<std::shared_ptr<Tab>> Active() const;
  // kNotFound names the tabs that exist.
  Result<std::shared_ptr<Tab>> Find(const TabId& id) const;
  // The tab with this target, or null.
  std::shared_ptr<Tab> FindByTarget(std::string_view target_id) const;
  const std::vector<std::shared_ptr<Tab>>& all() const { return tabs_; }
  // Every tab with its title, in the order they were opened.
  Task<Result<std::vector<TabInfo>>> List(CallContext ctx) const;
  // What was typed into their pages.
  const TypedSecrets& secrets() const { return *documents_.secrets(); }
  // The tab and frame that show the document with this number, or nulls.
  std::pair<std::shared_ptr<Tab>, std::shared_ptr<Frame>> FindDocument(std::uint32_t ordinal) const;

  // Opens a page that is no tab: it has no id, and nobody is told. It waits to be let run.
  Task<Result<std::shared_ptr<cdp::Session>>> OpenHidden(CallContext ctx);

  // A page target appeared: one we asked for, or a popup.
  void OnPage(const std::shared_ptr<cdp::Session>& page);
  void CloseAll(const Error& reason);

  // Told of the session of every page and frame of a tab, before anything runs there.
  EventHub<const std::shared_ptr<cdp::Session>&>& on_page_session() {
    return documents_.on_page_session();
  }
  // Told of every new tab, popups included.
  EventHub<const std::shared_ptr<Tab>&>& on_opened() { return on_opened_; }
  EventHub<const TabId&>& on_closed() { return on_closed_; }
  // Told when another tab is the active one, or none is.
  EventHub<>& on_active() { return on_active_; }

 private:
  class Holding;
  void SetActive(std::shared_ptr<Tab> tab);
  void Adopt(const std::shared_ptr<cdp::Session>& page);
  std::shared_ptr<Tab> OpenerOf(const cdp::Session& page);
  std::shared_ptr<cdp::Session> TakeHeld(std::string_view target_id);
  void Forget(const TabId& id);

  std::shared_ptr<cdp::Session> root_;
  std::string context_id_;
  const SessionOptions& options_;
  RequestHolds& holds_;
  DocumentCommons documents_;
  std::vector<std::shared_ptr<Tab>> tabs_;
  std::shared_ptr<Tab> active_;
  std::uint64_t last_id_ = 0;
  // Pages are announced before we know which of them is to stay hidden: they are held meanwhile.
  std::size_t hidden_on_their_way_ = 0;
  std::vector<std::shared_ptr<cdp::Session>> held_;
  std::size_t own_on_their_way_ = 0;
  std::weak_ptr<Tab> last_requester_;
  std::unordered_map<std::string, std::vector<Subscription>> watching_;
  EventHub<const std::shared_ptr<Tab>&> on_opened_;
  EventHub<const TabId&> on_closed_;
  EventHub<> on_active_;
};

}  // namespace falconer::browser
