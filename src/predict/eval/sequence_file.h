#pragma once
// Sequences in a text file: one in each line, numbers or words with blanks between them.

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace falconer::predict {

struct SequenceSet {
  // Of symbols, one for each word. Lines without words are left out.
  std::vector<std::vector<std::uint64_t>> sequences;
  std::size_t steps = 0;
  std::size_t symbols = 0;  // that differ
};

// kInvalidArgument with the line, for what is no UTF-8, holds a control character, or has too many
// steps; and for a text without any sequence.
Result<SequenceSet> ParseSequences(std::string_view text);
// The same for a file; messages name it. kNotFound, kIoError.
Result<SequenceSet> LoadSequences(const std::filesystem::path& path);

}  // namespace falconer::predict
