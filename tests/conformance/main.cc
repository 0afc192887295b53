// Runs published test vectors against the product: conformance FOLDER. One line per set; exit code
// 1 when a vector fails, 2 when a set is not there.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/base64.h"
#include "base/file.h"
#include "base/json/canonical_json.h"
#include "ledger/merkle.h"
#include "tests/conformance/injection_texts.h"
#include "tests/conformance/jose_vectors.h"
#include "tests/conformance/url_hosts.h"

namespace falconer::test {
namespace {

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

// A hash as the vectors write it: base64, and sometimes no hash at all.
std::optional<Sha256Digest> DigestOf(const json::value& text) {
  const auto bytes = DecodeBase64(text.as_string());
  Sha256Digest digest;
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), digest.begin());
  return digest;
}

// One proof of the Merkle vectors, whatever kind it is.
class ProofCase {
 public:
  explicit ProofCase(const json::object& fields) : fields_(fields) {
    if (!fields.at("proof").is_array()) return;
    for (const json::value& text : fields.at("proof").as_array()) {
      const auto digest = DigestOf(text);
      is_whole_ = is_whole_ && digest;
      proof_.push_back(digest.value_or(Sha256Digest{}));
    }
  }

  bool IsAccepted() const {
    const Sha256Digest root = RootOf(fields_.at(Has("root") ? "root" : "root2"));
    const Sha256Digest part = RootOf(fields_.at(Has("root") ? "leafHash" : "root1"));
    // Leaves are always hashes.
    const bool has_leaf = !Has("leafHash") || DigestOf(fields_.at("leafHash"));
    if (!is_whole_ || !has_leaf) return false;
    if (Has("treeSize")) {
      return ledger::IsIncluded(part, Number("leafIdx"), Number("treeSize"), proof_, root);
    }
    if (Has("size1")) {
      return ledger::IsConsistent(Number("size1"), part, Number("size2"), root, proof_);
    }
    const ledger::Subtree subtree{Number("start"), Number("end")};
    if (Has("leafIdx")) {
      return ledger::IsIncluded(part, Number("leafIdx"), subtree, proof_, root);
    }
    return ledger::IsConsistent(subtree, part, Number("size"), root, proof_);
  }

 private:
  // Some cases have a text such as "don't care 1" for a root, and ask only whether two of them are
  // the same. Roots here are hashes: each such text gets one of its own.
  static Sha256Digest RootOf(const json::value& text) {
    const auto digest = DigestOf(text);
    return digest ? *digest : Sha256Of("no hash: " + std::string(text.as_string()));
  }
  bool Has(std::string_view name) const { return fields_.contains(name); }
  std::uint64_t Number(std::string_view name) const {
    return fields_.at(name).to_number<std::uint64_t>();
  }

  const json::object& fields_;
  ledger::MerkleProof proof_;
  bool is_whole_ = true;
};

// Inclusion and consistency proofs, good and broken (RFC 6962 trees).
Score MerkleProofs(const std::filesystem::path& folder) {
  Score score;
  const auto text = ReadFile(folder / "proofs.json");
  const auto cases = text ? ParseJsonObject(*text) : Result<json::object>();
  if (!cases) return score;
  for (const auto& [name, fields] : *cases) {
    const bool wants_refusal = fields.at("wantErr").as_bool();
    const bool is_right = ProofCase(fields.as_object()).IsAccepted() != wants_refusal;
    if (!is_right) std::printf("merkle: wrong: %s\n", std::string(name).c_str());
    score.right += is_right ? 1 : 0;
    ++score.all;
  }
  return score;
}

struct Set {
  const char* name;
  Score (*run)(const std::filesystem::path& folder);
};

constexpr Set kSets[] = {{"jcs", &CanonicalJsonPairs},
                         {"merkle", &MerkleProofs},
                         {"jose", &JoseVectors},
                         {"injection", &InjectionTexts},
                         {"url", &UrlHosts}};

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
