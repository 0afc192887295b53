#include "store/sqlite/head_table.h"

namespace falconer::store {

Result<std::optional<ChainHead>> GetHead(Database& database, const std::string& chain) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT seq, record_hash, tree_root FROM heads WHERE chain = ?"));
  TRY_ASSIGN(const bool found, find.Text(chain).Step());
  if (!found) return std::optional<ChainHead>();
  ChainHead head{.chain = chain, .seq = find.CountAt(0)};
  TRY_ASSIGN(head.record_hash, find.DigestAt(1));
  TRY_ASSIGN(head.tree_root, find.DigestAt(2));
  return head;
}

Result<std::vector<std::string>> ListHeads(Database& database) {
  TRY_ASSIGN(Statement list, database.Use("SELECT chain FROM heads ORDER BY chain"));
  std::vector<std::string> chains;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return chains;
    chains.push_back(list.TextAt(0));
  }
}

Result<void> PutHead(Database& database, const ChainHead& head) {
  TRY_ASSIGN(const std::optional<ChainHead> known, GetHead(database, head.chain));
  if (known && known->seq >= head.seq) return {};
  TRY_ASSIGN(Statement save, database.Use("INSERT OR REPLACE INTO heads VALUES(?, ?, ?, ?)"));
  return save.Text(head.chain).Number(head.seq).Bytes(head.record_hash).Bytes(head.tree_root).Run();
}

}  // namespace falconer::store
