// Runs published test vectors against the product: conformance FOLDER. One line per set; exit code
// 1 when a vector fails, 2 when a set is not there.

#include <cstdio>
#include <filesystem>

#include "base/file.h"
#include "base/json/canonical_json.h"

namespace falconer::test {
namespace {

struct Score {
  int right = 0;
  int all = 0;
};

// Pairs of a JSON text and its canonical form (RFC 8785).
Score CanonicalJsonPairs(const std::filesystem::path& folder) {
  Score score;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "input", missing)) {
    const auto input = ReadFile(entry.path());
    const auto wanted = ReadFile(folder / "output" / entry.path().filename());
    const bool is_right = input && wanted && CanonicalizeJson(*input) == *wanted;
    if (!is_right) std::printf("jcs: wrong: %s\n", entry.path().c_str());
    score.right += is_right ? 1 : 0;
    ++score.all;
  }
  return score;
}

struct Set {
  const char* name;
  Score (*run)(const std::filesystem::path& folder);
};

constexpr Set kSets[] = {{"jcs", &CanonicalJsonPairs}};

int RunAll(const std::filesystem::path& vectors) {
  int worst = 0;
  for (const Set& set : kSets) {
    const Score score = set.run(vectors / set.name);
    std::printf("%s: %d of %d\n", set.name, score.right, score.all);
    if (score.all == 0) worst = 2;
    if (score.right != score.all && worst == 0) worst = 1;
  }
  return worst;
}

}  // namespace
}  // namespace falconer::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: conformance FOLDER\n", stderr);
    return 2;
  }
  return falconer::test::RunAll(argv[1]);
}
