#pragma once
// OwnChain: the caller's chain of the ledger, while this program writes it. Plain data: its work
// reads files and is done aside.

#include <filesystem>

#include "api/tools/tool_host.h"
#include "ledger/verifier.h"

namespace falconer::api {

struct OwnChain {
  std::filesystem::path data;
  TenantId tenant;
  ledger::PublicKey key;

  static OwnChain Of(const ToolRooms& rooms);

  std::filesystem::path folder() const;
  // Checks all of it against its signatures and against the head that the store knows. The last
  // records are signed in a moment.
  Result<ledger::VerifyReport> Verify() const;
};

}  // namespace falconer::api
