#include "api/tools/run_pictures.h"

#include <utility>

namespace falconer::api {
namespace {

// A larger picture is looked at where it is kept.
constexpr std::uint64_t kMostPicture = 4U << 20U;

}  // namespace

agent::PictureSource PicturesOf(const browser::ArtifactManager& manager,
                                browser::ArtifactOwner owner) {
  return [&manager, owner = std::move(owner)](
             const std::string& artifact) -> std::optional<agent::ChatImage> {
    const auto record = manager.Find(owner, artifact);
    if (!record || !record->mime.starts_with("image/") || record->bytes > kMostPicture)
      return std::nullopt;
    auto bytes = manager.Read(owner, artifact, 0, kMostPicture);
    if (!bytes) return std::nullopt;
    return agent::ChatImage{.media_type = record->mime, .bytes = *std::move(bytes)};
  };
}

}  // namespace falconer::api
