#pragma once
// Previews of requests that are held: from the exact bytes, masked for people.

#include <string>
#include <string_view>
#include <vector>

#include "model/approval/request_preview.h"
#include "policy/redaction/redactor.h"
#include "policy/risk/risk.h"

namespace falconer::engine {

// A request as it was held. What it refers to must outlive the call it is passed to.
struct HeldBytes {
  std::string_view method;
  std::string_view url;
  std::vector<model::PreviewField> headers;
  std::string_view body;  // exact
  bool is_body_whole = true;
  // Where in the body parts are missing that the browser reads only while it sends them.
  std::vector<std::size_t> body_gaps = {};
};

// Masked, cut to a size that people and records can take, with its effect in words.
model::RequestPreview PreviewOf(const HeldBytes& held, const policy::Risk& risk,
                                const policy::Redactor& redactor);

// What happens when it leaves: "Buys something for 49.00 USD at shop.example".
std::string EffectOf(std::string_view method, std::string_view url, const policy::Risk& risk);

}  // namespace falconer::engine
