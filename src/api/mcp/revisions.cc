#include "api/mcp/revisions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/mcp/log_level.h"

namespace falconer::api {
namespace {

RpcFailure BadMeta(std::string_view field, std::string_view expected) {
  return {.code = kRpcInvalidParams,
          .message = "params._meta." + std::string(field) + ": expected " + std::string(expected),
          .data = {},
          .id = nullptr};
}

}  // namespace

bool IsLegacyVersion(std::string_view version) {
  return version != kModernVersion &&
         std::ranges::find(kAllVersions, version) != kAllVersions.end();
}

bool IsModern(const RpcMessage& message) {
  return message.meta().contains(kMetaVersion) || message.method == kDiscover;
}

McpEra EraOf(const RpcMessage& message) {
  return IsModern(message) ? McpEra::kModern : McpEra::kLegacy;
}

std::optional<RpcFailure> CheckMeta(const RpcMessage& request) {
  const json::object& meta = request.meta();
  const json::value* version = meta.if_contains(kMetaVersion);
  if (version == nullptr || !version->is_string()) return BadMeta(kMetaVersion, "string");
  if (version->get_string() != kModernVersion)
    return UnsupportedVersion(*version, {&kModernVersion, 1});
  const json::value* capabilities = meta.if_contains(kMetaCapabilities);
  if (capabilities == nullptr || !capabilities->is_object())
    return BadMeta(kMetaCapabilities, "object");
  const json::value* level = meta.if_contains(kMetaLogLevel);
  if (level == nullptr) return std::nullopt;
  if (!level->is_string() || !ValueIn(kLogLevels, level->get_string()))
    return BadMeta(kMetaLogLevel, "the name of a level");
  return std::nullopt;
}

RpcFailure UnsupportedVersion(const json::value& requested,
                              std::span<const std::string_view> ours) {
  return {.code = kRpcUnsupportedVersion,
          .message = "unsupported protocol version",
          .data = {{"supported", json::array(ours.begin(), ours.end())}, {"requested", requested}},
          .id = nullptr};
}

}  // namespace falconer::api
