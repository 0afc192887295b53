#include "api/tools/artifact_link.h"

#include "api/tools/call_arguments.h"
#include "base/percent.h"
#include "browser/context/artifact_record.h"

namespace falconer::api {
namespace {

constexpr std::string_view kArtifactPrefix = "falconer://artifact/";
constexpr std::string_view kSessionQuery = "?session=";

}  // namespace

std::string ArtifactAddress::ToUri() const {
  std::string uri = std::string(kArtifactPrefix) + id;
  if (session != kMainSession) uri += std::string(kSessionQuery) + PercentEncoded(session);
  return uri;
}

std::optional<ArtifactAddress> ParseArtifactUri(std::string_view uri) {
  if (!uri.starts_with(kArtifactPrefix)) return std::nullopt;
  uri.remove_prefix(kArtifactPrefix.size());
  const std::string_view id = uri.substr(0, uri.find('?'));
  if (!browser::IsArtifactId(id)) return std::nullopt;
  uri.remove_prefix(id.size());
  if (uri.empty()) return ArtifactAddress{std::string(id), std::string(kMainSession)};
  if (!uri.starts_with(kSessionQuery)) return std::nullopt;
  auto session = ParsePercent(uri.substr(kSessionQuery.size()));
  if (!session || session->empty()) return std::nullopt;
  return ArtifactAddress{std::string(id), *std::move(session)};
}

std::vector<ResourceLink> ArtifactLinks(std::string_view session,
                                        const std::vector<model::ResultArtifact>& artifacts) {
  std::vector<ResourceLink> links;
  for (const model::ResultArtifact& artifact : artifacts) {
    const ArtifactAddress address{artifact.artifact_id, std::string(session)};
    links.push_back({.uri = address.ToUri(),
                     .name = artifact.artifact_id,
                     .mime = artifact.mime,
                     .bytes = artifact.bytes});
  }
  return links;
}

}  // namespace falconer::api
