#pragma once
// Compact JWS (RFC 7515 section 3.1), read strictly: "header.payload.signature". A header may name
// the algorithm, the key and the type, and nothing else; whatever would choose a key or change how
// the rest is read is refused with a reason of its own.

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "policy/tokens/token_fault.h"
#include "policy/tokens/token_key.h"

namespace falconer::policy {

// In bytes. Our own are below 2 KiB; a limit keeps others from making us decode megabytes.
inline constexpr std::size_t kMaxTokenLength = 16'384;
inline constexpr std::size_t kMaxKeyName = 128;

struct CompactJws {
  TokenAlgorithm algorithm = TokenAlgorithm::kRs256;
  std::string key_name;          // "" when the header names none
  std::string type;              // "" when the header names none
  std::string_view signed_text;  // of the token, which must outlive this
  std::string payload;
  std::string signature;
};

// kTokenInvalid, with the reason. Checks no signature.
Result<CompactJws> ParseCompactJws(std::string_view token);

// Fails unless the algorithm is the key's and the signature is right.
Result<void> VerifyJws(const CompactJws& jws, const TokenKey& key);

// The token: header (with typ JWT) and payload, signed.
std::string SignCompactJws(std::string_view payload, std::string_view key_name,
                           const TokenKey& key);

// A JSON object of a token. kTokenInvalid with `otherwise`, or with the reason of its own that a
// member given twice has: readers that take the first and readers that take the last disagree.
Result<json::object> ParseTokenObject(std::string_view text, TokenFault otherwise);

// Whether a text can be the name of a key: what could be read as a path, or as something else than
// a name, cannot.
bool IsKeyName(std::string_view text);

}  // namespace falconer::policy
