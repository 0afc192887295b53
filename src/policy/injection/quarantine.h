#pragma once
// Quarantine: keeps the originals of texts that were put away, under their digest, for auditors. A
// folder of private files; what is read back is checked against its digest.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "policy/injection/injection_filter.h"
#include "policy/injection/provenance.h"

namespace falconer::policy {

struct QuarantinedText {
  std::string text;
  json::object verdict;
  json::object provenance;
};

// What stands in the place of a text that was put away.
struct FilteredText {
  std::string text;  // as it may be shown to a model
  InjectionVerdict verdict;
  std::string digest;  // of the original; "" when it was not put away
};

// How much is kept at most: pages write as much as they like.
struct QuarantineLimits {
  std::size_t texts = 1000;
  std::uintmax_t bytes = std::uintmax_t{16} << 20;
};

class Quarantine {
 public:
  explicit Quarantine(std::filesystem::path folder, QuarantineLimits limits = {})
      : folder_(std::move(folder)), limits_(limits) {}

  // Judges a text; one that is put away is kept first, and then replaced by a line that says so.
  // Beyond the limits, those that were met longest ago are thrown away for it.
  // kIoError when it cannot be kept: then it is not shown either.
  Result<FilteredText> Filter(std::string_view text, const model::TextVisibility& visibility,
                              const Provenance& provenance) const;

  // The digests of all that was put away, in order. kIoError.
  Result<std::vector<std::string>> List() const;
  // The digest that begins so: what a model was shown is its beginning. kNotFound, kInvalidArgument
  // for what begins none or several.
  Result<std::string> Find(std::string_view beginning) const;
  // The original, for auditors. kNotFound, kInvalidArgument for what is no digest, kStoreDamaged
  // when the file is not what was put away.
  Result<QuarantinedText> Release(std::string_view digest) const;

 private:
  Result<std::string> Keep(std::string_view text, const InjectionVerdict& verdict,
                           const Provenance& provenance) const;
  // All but the newest may go.
  void MakeRoom(const std::filesystem::path& newest) const;

  std::filesystem::path folder_;
  QuarantineLimits limits_;
};

}  // namespace falconer::policy
