#pragma once
// The address under which MCP clients read an artifact: "falconer://artifact/<id>", with
// "?session=<name>" when it belongs to another session than the main one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mcp/content.h"
#include "model/contract/result.h"

namespace falconer::api {

inline constexpr std::string_view kArtifactTemplate = "falconer://artifact/{id}{?session}";

struct ArtifactAddress {
  std::string id;
  std::string session;

  std::string ToUri() const;
};

// Nothing for what has not that form.
std::optional<ArtifactAddress> ParseArtifactUri(std::string_view uri);

// To everything that an action of the session kept. Called by their ids: names are given by pages.
std::vector<ResourceLink> ArtifactLinks(std::string_view session,
                                        const std::vector<model::ResultArtifact>& artifacts);

}  // namespace falconer::api
