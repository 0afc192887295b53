#pragma once
// How the files of a chain are opened. Whoever can write the folder can put anything there: a pipe
// that never says a word, a device, a link to somewhere else. Only a plain file is a file of a
// chain; anything else is refused at once instead of being waited for.

#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace falconer::ledger {

// Opens with the flags of open(2); a file that O_CREAT makes is private (0600). kNotFound,
// kIoError; kLedgerDamaged, naming the file, for what is no plain file.
Result<UniqueFd> OpenChainFile(const std::filesystem::path& path, int flags = O_RDONLY);

// The file, or the first `most` bytes of it. Fails as OpenChainFile does.
Result<std::string> ReadChainFile(const std::filesystem::path& path,
                                  std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace falconer::ledger
