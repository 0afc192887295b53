#pragma once
// KeyFolder: a key ring on disk. "ring.json" says which keys there are and in which state; each key
// is a PEM file of its own, private (0600). Changes are made one process at a time and are there
// whole or not at all: readers see the ring before or after, never in between.

#include <filesystem>
#include <functional>

#include "policy/tokens/key_ring.h"

namespace falconer::policy {

class KeyFolder {
 public:
  // "keys/tokens" in the data folder.
  static std::filesystem::path PathIn(const std::filesystem::path& data_folder);

  explicit KeyFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The ring; an empty one when there is no folder yet. kIoError when it cannot be read or others
  // could, kInvalidArgument naming the file for what is no ring or no key.
  Result<KeyRing> Load() const;
  // Loads, changes and stores the ring while no other process does; answers the new ring. A change
  // that fails changes nothing.
  Result<KeyRing> Change(const std::function<Result<void>(KeyRing&)>& change) const;

  // The key that signs, made if there is none yet: for a first use without ceremony. Of several
  // processes that do so at once, one makes it.
  Result<RingKey> PrimaryOrNew(TokenAlgorithm algorithm, WallTime now) const;

  // A mark that differs whenever the ring was changed; "" when there is none.
  std::string Version() const;
  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path RingFile() const { return folder_ / "ring.json"; }
  std::filesystem::path KeyFile(std::string_view name) const;
  Result<KeyRing> Read() const;
  Result<RingKey> ReadKey(const json::value& row) const;
  Result<void> Write(const KeyRing& old, const KeyRing& ring) const;
  Result<void> Forget(const KeyRing& old, const KeyRing& ring) const;

  std::filesystem::path folder_;
};

}  // namespace falconer::policy
