#pragma once
// Signature: what an action is, for counting: the same thing done to the same element gives the
// same signature, whatever was typed, and across renderings and sites' deploys as far as names
// last. JSON with sorted keys, of what is given of type, selector, text, url and key. Holds nothing
// that anybody typed, and no secret.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/action/action.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::predict {

struct SignedAction {
  const model::ActionSpec& spec;
  // Of the element it is about; null when there is none.
  const model::Fingerprint* element = nullptr;
  // What was typed before in the same session: where a page repeats it, it is left out.
  std::span<const std::string> typed = {};
};

// `{"selector":"button \"Add to cart\"","type":"click"}`. The selector says what the element is:
// its test id, or role and name, with digits as #; where there is no element, the spec's own
// selector. Text is "*" for anything typed and "secret" for a secret; the url is a pattern. Filling
// a field and typing into it are the same. A key that writes a character is "*".
std::string SignatureOf(const SignedAction& action);

// How it names the element.
std::string ElementSignature(const model::Fingerprint& element,
                             std::span<const std::string> typed = {});

// The first 64 bits of its SHA-256, never 0.
std::uint64_t SymbolOf(std::string_view signature);

// An address as a pattern: scheme, host, port and path, where parts that look like ids are *, and
// the names of its parameters. Values of parameters, user and fragment are left out.
// "https://shop.example/product/*?sort". "" for what is no http address.
std::string PagePattern(std::string_view url, std::span<const std::string> typed = {});

}  // namespace falconer::predict
