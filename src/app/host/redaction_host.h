#pragma once
// RedactionHost: the one redactor of a program, and everything that goes through it: what is
// logged, what is written to the ledger and to telemetry, and what a model is shown.

#include <functional>
#include <memory>
#include <string>

#include "base/settings/settings.h"
#include "engine/redacting_scrubber.h"
#include "policy/injection/quarantine.h"

namespace falconer::app {

class RedactionHost {
 public:
  // Loads the key of digests from data.dir (redaction.key, private), or makes it; the folder must
  // exist. From then on the log is redacted. kIoError, kInvalidArgument and kUnauthorized for a key
  // that is none or that others may read.
  static Result<std::unique_ptr<RedactionHost>> Open(const Settings& settings);
  // The log is no longer redacted.
  ~RedactionHost();
  RedactionHost(const RedactionHost&) = delete;
  RedactionHost& operator=(const RedactionHost&) = delete;

  policy::Redactor& redactor() { return redactor_; }
  const engine::RedactingScrubber& scrubber() const { return scrubber_; }
  // For lines of telemetry. Good for as long as the host is.
  std::function<void(std::string& line)> telemetry_filter() const;
  // For the attributes of spans. Good for as long as the host is.
  std::function<void(json::object& attributes)> span_filter() const;
  // Where texts of pages are put away; null when they are not.
  const policy::Quarantine* quarantine() const { return quarantine_ ? &*quarantine_ : nullptr; }

 private:
  RedactionHost(const Settings& settings, std::string digest_key);

  policy::Redactor redactor_;
  engine::RedactingScrubber scrubber_;
  std::optional<policy::Quarantine> quarantine_;
};

// The folder of texts that were put away.
std::filesystem::path QuarantineFolder(const Settings& settings);

}  // namespace falconer::app
