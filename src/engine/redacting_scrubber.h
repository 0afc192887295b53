#pragma once
// RedactingScrubber: what the ledger is kept free of, decided by the one redactor of the program.
// Scrubbing twice changes nothing more.

#include "ledger/scrubber.h"
#include "policy/redaction/redactor.h"

namespace falconer::engine {

class RedactingScrubber final : public ledger::Scrubber {
 public:
  // `redactor` must outlive this.
  explicit RedactingScrubber(const policy::Redactor& redactor) : redactor_(redactor) {}

  // Everything by the table's column "ledger". Our own names of things that are called like secrets
  // (session_id) stay, but for what callers and pages say: there they are nobody's. Snapshots stay
  // whole, for their digests are checked: they come from the operator's files.
  void Scrub(json::object& payload) const override;

 private:
  void ScrubOwn(json::object& object) const;
  void ScrubMember(std::string_view key, json::value& value) const;

  const policy::Redactor& redactor_;
};

}  // namespace falconer::engine
