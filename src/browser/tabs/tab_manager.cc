#include "browser/tabs/tab_manager.h"

#include <algorithm>
#include <utility>

#include "cdp/connection.h"

namespace falconer::browser {
namespace {

// Counts a page of our own while it is being made.
class Making {
 public:
  explicit Making(std::size_t& count) : count_(count) { ++count_; }
  ~Making() { --count_; }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;

 private:
  std::size_t& count_;
};

}  // namespace

TabManager::TabManager(std::shared_ptr<cdp::Session> root, std::string context_id,
                       const SessionOptions& options, RequestHolds& holds)
    : root_(std::move(root)), context_id_(std::move(context_id)), options_(options), holds_(holds) {
}

void TabManager::SetActive(std::shared_ptr<Tab> tab) {
  active_ = std::move(tab);
  on_active_.Emit();
}

Task<Result<std::shared_ptr<Tab>>> TabManager::Open(CallContext ctx) {
  const Making making(own_on_their_way_);
  CO_TRY_ASSIGN(
      const auto created,
      co_await root_->Send(
          ctx, cdp::TargetCreateTarget{.url = "about:blank", .browser_context_id = context_id_}));
  // The browser announces a page before it answers the command that made it.
  if (const auto page = TakeHeld(created.target_id)) Adopt(page);
  const auto tab = FindByTarget(created.target_id);
  if (!tab) co_return Fail(ErrorCode::kTabClosed, "the new tab closed at once");
  CO_TRY(co_await tab->Ready(ctx));
  SetActive(tab);
  co_return tab;
}

// Counts a hidden page that is on its way; when the last has come, the others that were held with
// it become tabs.
class TabManager::Holding {
 public:
  explicit Holding(TabManager& tabs) : tabs_(tabs) { ++tabs_.hidden_on_their_way_; }
  ~Holding() {
    if (--tabs_.hidden_on_their_way_ > 0) return;
    for (const auto& page : std::exchange(tabs_.held_, {})) {
      if (page->is_open()) tabs_.Adopt(page);
    }
  }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  TabManager& tabs_;
};

Task<Result<std::shared_ptr<cdp::Session>>> TabManager::OpenHidden(CallContext ctx) {
  const Holding holding(*this);
  CO_TRY_ASSIGN(const auto created,
                co_await root_->Send(ctx, cdp::TargetCreateTarget{.url = "about:blank",
                                                                  .browser_context_id = context_id_,
                                                                  .background = true}));
  auto page = TakeHeld(created.target_id);
  if (!page) co_return Fail(ErrorCode::kTabClosed, "the hidden page closed at once");
  co_return page;
}

std::shared_ptr<cdp::Session> TabManager::TakeHeld(std::string_view target_id) {
  const auto found = std::ranges::find(held_, target_id, [](const auto& page) {
    return std::string_view(page->target().target_id);
  });
  if (found == held_.end()) return nullptr;
  auto page = *found;
  held_.erase(found);
  return page;
}

void TabManager::OnPage(const std::shared_ptr<cdp::Session>& page) {
  if (hidden_on_their_way_ > 0) {
    held_.push_back(page);
  } else {
    Adopt(page);
  }
}

void TabManager::Adopt(const std::shared_ptr<cdp::Session>& page) {
  const auto opener = OpenerOf(*page);
  auto tab = std::make_shared<Tab>(
      Tab::Setup{.id = TabId("t" + std::to_string(++last_id_)),
                 .session = page,
                 .opener = opener ? std::optional(opener->id()) : std::nullopt,
                 .holds = &holds_},
      options_, documents_);
  tabs_.push_back(tab);
  if (!active_) SetActive(tab);
  auto& watching = watching_[tab->id().value()];
  watching.push_back(tab->OnClosed([this, id = tab->id()] { Forget(id); }));
  watching.push_back(tab->frames().on_new_tab_requested().Subscribe(
      [this, weak = std::weak_ptr(tab)] { last_requester_ = weak; }));
  on_opened_.Emit(tab);
}

// A page that was opened aside (a click with Control held) names no opener; then it is the tab that
// asked for a page last, unless we made it ourselves.
std::shared_ptr<Tab> TabManager::OpenerOf(const cdp::Session& page) {
  if (page.target().opener_id) return FindByTarget(*page.target().opener_id);
  if (own_on_their_way_ > 0) return nullptr;
  return std::exchange(last_requester_, {}).lock();
}

void TabManager::Forget(const TabId& id) {
  const auto found = std::ranges::find(tabs_, id, [](const auto& tab) { return tab->id(); });
  if (found == tabs_.end()) return;
  const std::shared_ptr<Tab> tab = std::move(*found);
  tabs_.erase(found);
  watching_.erase(id.value());
  // The opener gets the attention back, as with people's browsers; else the newest tab.
  if (active_ == tab) {
    const auto opener = tab->opener() ? Find(*tab->opener()) : Fail(ErrorCode::kNotFound, "");
    SetActive(opener ? *opener : tabs_.empty() ? nullptr : tabs_.back());
  }
  on_closed_.Emit(id);
}

Task<Result<void>> TabManager::Close(CallContext ctx, TabId id) {
  CO_TRY_ASSIGN(const auto tab, Find(id));
  holds_.EndTab(id, "tab " + id.value() + " is closed");
  CO_TRY(co_await root_->Send(ctx, cdp::TargetCloseTarget{.target_id = tab->target_id()}));
  CO_TRY(co_await tab->changes().Until(
      ctx, [&] { return tab->phase() == TabPhase::kClosed; }, "the tab to close"));
  co_return Result<void>();
}

Result<std::shared_ptr<Tab>> TabManager::Switch(const TabId& id) {
  TRY_ASSIGN(auto tab, Find(id));
  SetActive(tab);
  root_->Post(cdp::TargetActivateTarget{.target_id = tab->target_id()});
  return tab;
}

Result<std::shared_ptr<Tab>> TabManager::Active() const {
  if (!active_) return Fail(ErrorCode::kTabClosed, "the session has no open tab");
  return active_;
}

Result<std::shared_ptr<Tab>> TabManager::Find(const TabId& id) const {
  std::string open;
  for (const auto& tab : tabs_) {
    if (tab->id() == id) return tab;
    open += (open.empty() ? "" : ", ") + tab->id().value();
  }
  return Fail(ErrorCode::kNotFound,
              "no tab " + id.value() + "; open tabs: " + (open.empty() ? "none" : open));
}

std::shared_ptr<Tab> TabManager::FindByTarget(std::string_view target_id) const {
  const auto found = std::ranges::find(
      tabs_, target_id, [](const auto& tab) { return std::string_view(tab->target_id()); });
  return found == tabs_.end() ? nullptr : *found;
}

Task<Result<std::vector<TabInfo>>> TabManager::List(CallContext ctx) const {
  CO_TRY_ASSIGN(const auto targets, co_await root_->Send(ctx, cdp::TargetGetTargets{}));
  std::vector<TabInfo> list;
  for (const auto& tab : tabs_) {
    TabInfo info{.id = tab->id(),
                 .url = tab->url(),
                 .is_active = tab == active_,
                 .phase = tab->phase(),
                 .opener = tab->opener()};
    const auto target =
        std::ranges::find(targets.target_infos, tab->target_id(), &cdp::TargetInfo::target_id);
    if (target != targets.target_infos.end()) info.title = target->title;
    list.push_back(std::move(info));
  }
  co_return list;
}

std::pair<std::shared_ptr<Tab>, std::shared_ptr<Frame>> TabManager::FindDocument(
    std::uint32_t ordinal) const {
  for (const auto& tab : tabs_) {
    if (auto frame = tab->frames().FindByDocument(ordinal)) return {tab, std::move(frame)};
  }
  return {};
}

void TabManager::CloseAll(const Error& reason) {
  // Closing a tab takes it off the list.
  const auto tabs = tabs_;
  for (const auto& tab : tabs) tab->Close(reason);
}

}  // namespace falconer::browser
