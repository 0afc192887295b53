#pragma once
// Worker: fault_worker over a data folder that outlives it.

#include <memory>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "tests/api/child_program.h"

namespace falconer::test {

enum class LedgerEnd : std::uint8_t { kWhole, kMayBeTorn };

class WorkerHome {
 public:
  WorkerHome();

  // Starts a worker that dies at `kill` ("acted:2", "never") while it carries out the contracts.
  std::unique_ptr<ChildProgram> Start(const std::string& kill,
                                      const std::vector<std::string>& contracts) const;
  // The same, to its end; the answers that it printed.
  std::vector<json::object> Run(const std::string& kill,
                                const std::vector<std::string>& contracts) const;

  const std::filesystem::path& data() const { return data_.path(); }

  // What is wrong with the ledger; "" when nothing is. A kill may break off the write of the last
  // record; whoever comes next puts that end aside.
  std::string LedgerTrouble(LedgerEnd end = LedgerEnd::kWhole) const;

 private:
  TempDir data_;
};

// Whether everything the worker started ends soon, as it must when the worker was killed.
bool LeavesNobody(const ChildProgram& worker);

// The complete lines of an output.
std::vector<json::object> AnswersIn(const std::string& out);

}  // namespace falconer::test
