#include "predict/signature.h"

#include "base/sha256.h"

namespace falconer::predict {

std::uint64_t SymbolOf(std::string_view signature) {
  const Sha256Digest digest = Sha256Of(signature);
  std::uint64_t symbol = 0;
  for (std::size_t at = 0; at < sizeof symbol; ++at) symbol = symbol << 8 | digest[at];
  return symbol == 0 ? 1 : symbol;
}

}  // namespace falconer::predict
