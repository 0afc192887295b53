#pragma once
// What a payload is, where it goes, and what is done to it there: the one table that decides about
// redaction. Findings in a text (a card number, a token) have a class; so has a payload as a whole
// (the text of a page, a screenshot).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::policy {

enum class PayloadClass : std::uint8_t {
  kCredential,      // passwords, keys, tokens, cookies
  kPayment,         // cards, accounts
  kPii,             // what identifies a person: social security number, date of birth
  kPhi,             // health
  kContact,         // e-mail address, telephone number
  kTextRaw,         // text as pages and callers wrote it
  kScreenshotRaw,   // pictures of pages
  kDerivedSummary,  // what was made of such text
  kMetadata,        // ids, times, names of things
};

enum class Surface : std::uint8_t {
  kTelemetry,
  kTimeline,
  kReplay,
  kLog,
  kLedger,
  kModel,
  kPreview,
};

enum class RedactionLevel : std::uint8_t { kStandard, kStrict };

enum class RedactionAction : std::uint8_t {
  kAllow,     // stays; what is found inside is still decided by its own class
  kMask,      // a form that people recognise ("****-****-****-1234")
  kHash,      // a keyed digest: the same value can be recognised, not read
  kDrop,      // only the kind is left
  kTokenize,  // a short stand-in, the same for the same value
};

inline constexpr EnumName<PayloadClass> kPayloadClasses[] = {
    {PayloadClass::kCredential, "credential"},
    {PayloadClass::kPayment, "payment"},
    {PayloadClass::kPii, "pii"},
    {PayloadClass::kPhi, "phi"},
    {PayloadClass::kContact, "contact"},
    {PayloadClass::kTextRaw, "text_raw"},
    {PayloadClass::kScreenshotRaw, "screenshot_raw"},
    {PayloadClass::kDerivedSummary, "derived_summary"},
    {PayloadClass::kMetadata, "metadata"},
};

inline constexpr EnumName<Surface> kSurfaces[] = {
    {Surface::kTelemetry, "telemetry"}, {Surface::kTimeline, "timeline"},
    {Surface::kReplay, "replay"},       {Surface::kLog, "log"},
    {Surface::kLedger, "ledger"},       {Surface::kModel, "model"},
    {Surface::kPreview, "preview"},
};

inline constexpr EnumName<RedactionLevel> kRedactionLevels[] = {
    {RedactionLevel::kStandard, "standard"},
    {RedactionLevel::kStrict, "strict"},
};

inline constexpr EnumName<RedactionAction> kRedactionActions[] = {
    {RedactionAction::kAllow, "allow"},       {RedactionAction::kMask, "mask"},
    {RedactionAction::kHash, "hash"},         {RedactionAction::kDrop, "drop"},
    {RedactionAction::kTokenize, "tokenize"},
};

// What happens to a class on a surface.
RedactionAction ActionFor(Surface surface, PayloadClass payload, RedactionLevel level);

// The table of a level as Markdown, as docs/redaction.md shows it.
std::string RedactionMatrix(RedactionLevel level);

}  // namespace falconer::policy
