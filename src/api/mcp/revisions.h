#pragma once
// The revisions of the protocol, and how a message says which one it is in. Up to 2025-11-25 a
// client says it once, in its `initialize`; from 2026-07-28 on every request says it for itself.

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "api/mcp/json_rpc.h"

namespace falconer::api {

inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kNewestLegacy = "2025-11-25";
inline constexpr std::array<std::string_view, 5> kAllVersions = {
    kModernVersion, kNewestLegacy, "2025-06-18", "2025-03-26", "2024-11-05"};

enum class McpEra {
  kLegacy,  // with `initialize`
  kModern,  // without
};

inline constexpr std::string_view kDiscover = "server/discover";
inline constexpr std::string_view kListen = "subscriptions/listen";
inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";

inline constexpr int kRpcHeaderMismatch = -32020;
inline constexpr int kRpcMissingCapability = -32021;
inline constexpr int kRpcUnsupportedVersion = -32022;

// The first revision whose answers may link to resources.
inline constexpr std::string_view kFirstWithLinks = "2025-06-18";

// Whether it is a revision with `initialize` that we speak.
bool IsLegacyVersion(std::string_view version);
// Whether the message itself says that it is in a revision without `initialize`.
bool IsModern(const RpcMessage& message);
McpEra EraOf(const RpcMessage& message);
// What is wrong with what a modern request says about itself.
std::optional<RpcFailure> CheckMeta(const RpcMessage& request);
RpcFailure UnsupportedVersion(const json::value& requested, std::span<const std::string_view> ours);

}  // namespace falconer::api
