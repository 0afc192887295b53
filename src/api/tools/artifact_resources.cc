#include "api/tools/artifact_resources.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/artifact_link.h"
#include "api/tools/aside.h"
#include "base/base64.h"
#include "browser/context/artifact_manager.h"

namespace falconer::api {
namespace {

constexpr std::size_t kResourcesPerPage = 100;
// A message has to hold it as base64.
constexpr std::size_t kMostResourceBytes = 16UZ << 20U;
// Its address says what it holds.
constexpr std::chrono::milliseconds kArtifactTtl = std::chrono::hours(1);

struct WholeArtifact {
  browser::ArtifactRecord record;
  std::string bytes;
};

Result<WholeArtifact> ReadWhole(const browser::ArtifactManager& manager,
                                const browser::ArtifactOwner& owner, const std::string& id) {
  TRY_ASSIGN(browser::ArtifactRecord record, manager.Find(owner, id));
  if (record.bytes > kMostResourceBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has {} bytes; at most {} can be read so", id, record.bytes,
                            kMostResourceBytes));
  }
  TRY_ASSIGN(std::string bytes, manager.Read(owner, id, 0, kMostResourceBytes));
  return WholeArtifact{.record = std::move(record), .bytes = std::move(bytes)};
}

}  // namespace

Task<Result<ResourcePage>> ArtifactResources::List(CallContext ctx, std::string from) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context_.Rooms());
  const std::string session(kMainSession);
  const browser::ArtifactOwner owner{.tenant = rooms.caller.tenant,
                                     .workflow = context_.WorkflowOf(session)};
  CO_TRY_ASSIGN(const auto page,
                co_await Aside(std::move(ctx), [manager = &rooms.runtime->parts().artifacts, owner,
                                                from = std::move(from)] {
                  return manager->List(owner, from, kResourcesPerPage);
                }));
  ResourcePage listed{.resources = {}, .next = page.next};
  for (const browser::ArtifactRecord& record : page.artifacts) {
    listed.resources.push_back({.uri = ArtifactAddress{record.id, session}.ToUri(),
                                .name = record.id,
                                .mime = record.mime,
                                .bytes = static_cast<std::int64_t>(record.bytes)});
  }
  co_return listed;
}

std::vector<ResourceTemplate> ArtifactResources::Templates() const {
  return {{.uri_template = std::string(kArtifactTemplate),
           .name = "artifact",
           .title = "Artifact",
           .description = "A file that a session kept, by the id that an answer gave."}};
}

Task<Result<ResourceReading>> ArtifactResources::Read(CallContext ctx, std::string uri) {
  const auto address = ParseArtifactUri(uri);
  if (!address)
    co_return Fail(ErrorCode::kNotFound, "resources are " + std::string(kArtifactTemplate));
  CO_TRY_ASSIGN(const ToolRooms rooms, context_.Rooms());
  const browser::ArtifactOwner owner{.tenant = rooms.caller.tenant,
                                     .workflow = context_.WorkflowOf(address->session)};
  CO_TRY_ASSIGN(const auto whole,
                co_await Aside(std::move(ctx),
                               [manager = &rooms.runtime->parts().artifacts, owner,
                                id = address->id] { return ReadWhole(*manager, owner, id); }));
  co_return ResourceReading{.contents = {{.uri = std::move(uri),
                                          .mime = whole.record.mime,
                                          .text = std::nullopt,
                                          .blob = EncodeBase64(whole.bytes)}},
                            .ttl = kArtifactTtl};
}

}  // namespace falconer::api
