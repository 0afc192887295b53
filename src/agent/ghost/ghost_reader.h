#pragma once
// GhostReader: reads a page; where its markup gives nothing to read because the page looks blocked,
// reads its picture, if both the setting and the caller allow that. What is a wall stays a wall: it
// is reported as one, never solved and never got round, and can be handed to a person. On one event
// loop.

#include <string>

#include "agent/ghost/ghost_page.h"
#include "agent/ghost/ghost_result.h"
#include "agent/ghost/ocr_reader.h"
#include "agent/providers/provider.h"

namespace falconer::agent {

struct GhostSettings {
  bool enabled = false;
  bool auto_trigger = true;
  std::int64_t max_image_width = 1280;
  std::int64_t max_retries = 1;
  OcrSettings ocr = {};
};

// What pictures are read with, made once from the settings.
struct GhostSetup {
  GhostSettings settings = {};
  // Looks at pictures where a model is asked for; null for nobody. It must outlive the setup.
  Provider* vision = nullptr;
};

class GhostReader {
 public:
  // The rooms must outlive the reader.
  GhostReader(GhostRooms rooms, GhostSetup setup);

  // The page, its picture's text, or why there is neither: a page that could be opened is always a
  // result. Fails as the contracts do that open and read it (kPolicyDenied and so on), and with
  // kPolicyDenied when the picture was asked for by name and may not be read.
  Task<Result<GhostResult>> Extract(CallContext ctx, GhostWish wish) const;

 private:
  struct Reading;

  Task<Result<void>> Run(CallContext ctx, Reading* reading) const;
  // Whether the page looks blocked. One that a script has yet to make is given time.
  Task<Result<void>> Judge(CallContext ctx, Reading* reading) const;
  Result<void> CheckGates(const GhostWish& wish) const;
  // Takes and reads pictures until one gives something, as often as the settings say.
  Task<void> ReadPicture(CallContext ctx, Reading* reading) const;
  Task<Result<void>> TryPicture(CallContext ctx, Reading* reading) const;
  Task<Result<void>> ByOcr(CallContext ctx, Reading* reading) const;
  Task<Result<void>> ByVision(CallContext ctx, Reading* reading) const;
  Task<Result<Picture>> TakeFor(CallContext ctx, Reading* reading, PictureWish wish) const;
  bool UsesVision(const GhostWish& wish) const;

  GhostRooms rooms_;
  GhostSettings settings_;
  Provider* vision_;
};

}  // namespace falconer::agent
