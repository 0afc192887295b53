#pragma once
// Storage: the cookies and localStorage of one session, read and written from outside.

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "browser/context/storage_state.h"
#include "browser/tabs/tab_manager.h"

namespace falconer::browser {

class HiddenPage;

class Storage {
 public:
  // `tabs` must outlive this. Notes every origin that a frame of them shows from now on.
  Storage(std::shared_ptr<cdp::Session> root, std::string context_id, TabManager& tabs);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // Every cookie of the session, by domain, path and name.
  Task<Result<std::vector<Cookie>>> Cookies(CallContext ctx);
  // Adds or replaces cookies. kInvalidArgument when the browser refuses one; none is set then.
  Task<Result<void>> SetCookies(CallContext ctx, std::vector<Cookie> cookies);
  Task<Result<void>> ClearCookies(CallContext ctx);

  // Cookies, and the localStorage of every origin the session has shown or loaded.
  Task<Result<StorageState>> Save(CallContext ctx);
  // Adds the cookies, and replaces the localStorage of the origins that are named.
  Task<Result<void>> Load(CallContext ctx, StorageState state);

 private:
  void Follow(const std::shared_ptr<Tab>& tab);
  void NoteOrigin(const std::string& url);
  Task<Result<OriginStorage>> ReadOrigin(CallContext ctx, std::string origin,
                                         std::unique_ptr<HiddenPage>* page);
  // The items as a frame that shows the origin sees them, or nothing.
  Task<Result<json::value>> ReadFromFrame(CallContext ctx, std::string origin);
  Task<Result<json::value>> CallHidden(CallContext ctx, std::unique_ptr<HiddenPage>* page,
                                       std::string origin, std::string function,
                                       json::value argument);

  std::shared_ptr<cdp::Session> root_;
  std::string context_id_;
  TabManager& tabs_;
  std::set<std::string> origins_;
  std::vector<Subscription> subscriptions_;
  // By tab.
  std::unordered_map<std::string, Subscription> documents_;
};

}  // namespace falconer::browser
