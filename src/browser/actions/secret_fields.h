#pragma once
// Typing secrets. The text of a `fill` or `type` may name a secret (model::TextInput::kSecret);
// its value exists only between whoever keeps it and the field: the driver asks for it through
// InputHooks::reveal once it knows the document, types it, and keeps no copy.
//
// From the call that types it on, the field is a secret one for as long as its document lives,
// whatever the page makes of it (another type, a copy in another field): its value is never told,
// not in states, extracts, waits, names or element facts, and its pixels are painted over in every
// picture, stream frame and PDF of the tab (browser/tabs/secret_mask.h). Whoever types by these
// actions has nothing else to do; there is no other way to type a secret.

#include <optional>
#include <string>

#include "model/action/action.h"
#include "model/policy_facts.h"

namespace falconer::browser {

// What is to be typed, and where. A frame's document counts, not the page around it.
struct SecretUse {
  model::TextInput text;  // the reference
  std::string url;        // of the document that the field is in
  std::string origin;     // whose document it is, also where the address does not tell
  std::string page_url;   // of the tab's page
  // What it is typed into; nothing when it is only compared.
  std::optional<model::ElementFacts> field = {};
};

}  // namespace falconer::browser
