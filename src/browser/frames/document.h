#pragma once
// Document: one loaded document of one frame. A navigation makes a new one, so whatever is bound to
// a Document (element refs, script worlds) can never reach into the next page.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/async/cancel.h"
#include "browser/frames/typed_secrets.h"
#include "model/action/load_state.h"
#include "model/url.h"

namespace falconer::browser {

// A script world inside a document.
struct World {
  std::string unique_context_id;
  bool has_bundle = false;
  // How many secrets had been typed when it was last told of them.
  std::size_t secrets_told = 0;
};

struct Document {
  // Unique within the browser session; part of every element ref ("d<ordinal>e<n>").
  std::uint32_t ordinal = 0;
  std::string loader_id;
  std::string url;
  // How often the address has changed without a new document.
  std::uint32_t address_changes = 0;
  // Whose document it is, also where the address does not tell: a blank one belongs to its maker.
  std::string origin;
  std::string mime_type;
  // Set for the document that is shown in place of one that could not be loaded.
  bool is_error_page = false;
  // The address of that one.
  std::string unreachable_url = {};
  model::LoadState load_state = model::LoadState::kCommit;
  // The HTTP status of the response it came from, when there was one.
  std::optional<int> status;
  // Script worlds by name; filled as the browser announces them.
  std::map<std::string, World, std::less<>> worlds;
  // Never null in a frame.
  std::shared_ptr<TypedSecrets> secrets;
  bool is_current = true;
  // Cancelled when it is no longer current. A frame's first document may leave its worlds to the
  // next one, and then nothing else ends the calls into it.
  CancelSource over;

  // Before a script of a caller runs in it, or in one that reaches it: kSecurityJsBlocked.
  Result<void> CheckNoSecret() const {
    if (secrets->For(host()).empty()) return {};
    return Fail(ErrorCode::kSecurityJsBlocked,
                "a secret was typed into a page of this site: no script may run there any more");
  }

  // Of its origin, or else of its address.
  std::string host() const {
    std::string of_origin = model::SplitUrl(origin).host;
    return of_origin.empty() ? model::SplitUrl(url).host : of_origin;
  }

  void End(const Error& why) {
    is_current = false;
    over.Cancel(why);
  }

  // What the browser calls the world of this name in this document. A frame's first document may
  // leave its global object to the next one; a world that came with it would still watch the old.
  std::string WorldName(std::string_view name) const {
    return std::string(name) + "-" + std::to_string(ordinal);
  }
};

}  // namespace falconer::browser
