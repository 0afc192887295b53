#pragma once
// Previews of requests that are held, from the exact bytes, and of actions that have not begun:
// masked for people.

#include <string>
#include <string_view>
#include <vector>

#include "model/approval/request_preview.h"
#include "policy/redaction/redactor.h"
#include "policy/risk/risk.h"

namespace falconer::engine {

// A file that the body has only a gap for, and that is known all the same.
struct HeldFile {
  std::size_t gap = 0;  // where in the body
  std::uint64_t bytes = 0;
  std::string sha256;
};

// A request as it was held. What it refers to must outlive the call it is passed to.
struct HeldBytes {
  std::string_view method;
  std::string_view url;
  std::vector<model::PreviewField> headers;
  std::string_view body;  // exact
  bool is_body_whole = true;
  // Where in the body parts are missing that the browser reads only while it sends them.
  std::vector<std::size_t> body_gaps = {};
  std::vector<HeldFile> files = {};
};

// An action that has not begun: what it does in words ("Carry out upload"), in which page, and all
// that it was told.
struct ActionInWords {
  std::string what;
  std::string url;
  std::string digest;  // of exactly this
  std::string script = {};
  std::vector<model::PreviewField> details = {};
  std::vector<model::PreviewFile> files = {};
};

// Masked, cut to a size that people and records can take, with its effect in words.
model::RequestPreview PreviewOf(const HeldBytes& held, const policy::Risk& risk,
                                const policy::Redactor& redactor);

model::RequestPreview PreviewOf(const ActionInWords& action, const policy::Redactor& redactor);

// What happens when it leaves: "Buys something for 49.00 USD at shop.example".
std::string EffectOf(std::string_view method, std::string_view url, const policy::Risk& risk);

}  // namespace falconer::engine
