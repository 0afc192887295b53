#include "api/tools/own_chain.h"

#include "store/sqlite/database.h"
#include "store/sqlite/head_table.h"

namespace falconer::api {
namespace {

constexpr auto kStorePatience = std::chrono::seconds(5);

}  // namespace

OwnChain OwnChain::Of(const ToolRooms& rooms) {
  const ledger::Ledger& ledger = rooms.runtime->parts().ledger;
  return {ledger.data_folder(), rooms.caller.tenant, ledger.public_key()};
}

std::filesystem::path OwnChain::folder() const {
  return ledger::ChainPaths::Of(data, tenant).folder;
}

Result<ledger::VerifyReport> OwnChain::Verify() const {
  ledger::VerifyInput input{.folder = folder(),
                            .tenant = tenant,
                            .keys = {key},
                            .unsigned_tail = ledger::UnsignedTail::kAllowed};
  TRY_ASSIGN(auto store, store::Database::Open(data / "control.db", store::Database::Access::kRead,
                                               kStorePatience));
  TRY_ASSIGN(input.head, store::GetHead(*store, tenant.value()));
  return ledger::VerifyChain(input);
}

}  // namespace falconer::api
