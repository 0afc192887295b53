#pragma once
// The hash of a file of any size, made on an event loop that must not stand still meanwhile.

#include <filesystem>
#include <string>

#include "base/async/call_context.h"

namespace falconer {

// SHA-256 of the file as 64 lower-case hex digits. It is read slice by slice, and the loop turns
// between two slices. Fails with kNotFound or kIoError, naming the path, or as `ctx` ends.
Task<Result<std::string>> HashFile(CallContext ctx, std::filesystem::path path);

}  // namespace falconer
