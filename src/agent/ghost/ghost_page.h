#pragma once
// GhostPage: one page that is read, by contracts like anybody else's, so that policy, quotas and
// egress apply and all of it is on record.

#include <functional>
#include <string>

#include "agent/ghost/block_facts.h"
#include "agent/ghost/ghost_result.h"
#include "engine/runtime.h"
#include "model/contract/result.h"

namespace falconer::agent {

// What reading pages needs of the program. All must outlive the reader.
struct GhostRooms {
  engine::Runtime* runtime = nullptr;
  // On whose behalf, with a token that is still good: asked for each contract, since what a page
  // takes long for outlives one.
  std::function<Result<engine::Caller>()> caller;
  // A line of a page as it may be shown to a model: secrets masked, what reads like an instruction
  // put away.
  std::function<std::string(std::string_view line)> clean;
};

// The page as the browser reads it.
struct PageReading {
  std::string markdown;
  std::string title;
  std::string quality;
  bool is_truncated = false;
};

struct PictureWish {
  bool viewport_only = false;
  double scale = 1;
  std::int64_t max_width = 0;
  std::string format = "png";
};

struct Picture {
  std::string artifact;
  std::string mime;
  std::string bytes;
  PictureArea area;
};

class GhostPage {
 public:
  GhostPage(GhostRooms rooms, GhostWish wish);

  // Each fails as the contract did that failed, with its code, details and denial id.
  Task<Result<void>> Open(CallContext ctx);
  Task<Result<BlockFacts>> Facts(CallContext ctx);
  // Waits a little for what the page still loads; that it does not come to rest is no failure.
  Task<void> Rest(CallContext ctx);
  Task<Result<PageReading>> Read(CallContext ctx);
  Task<Result<Picture>> Take(CallContext ctx, PictureWish wish);
  // Closes a session of its own, also when nobody waits any more.
  Task<void> Close(CallContext ctx);

  const GhostWish& wish() const { return wish_; }
  const GhostRooms& rooms() const { return rooms_; }
  // Where the page was found, and how it was answered; 0 where that is not known.
  const std::string& url() const { return url_; }
  std::int64_t status() const { return status_; }
  bool is_own() const { return is_own_; }
  std::string session() const { return workflow_.value(); }
  // Every line of it cleaned.
  std::string Clean(std::string_view text) const;

 private:
  Task<Result<model::ActionExecutionResult>> Act(CallContext ctx, json::object spec);
  Task<Result<model::ActionExecutionResult>> Send(CallContext ctx, json::object contract);
  Task<Result<json::object>> Extract(CallContext ctx, json::object extract);
  json::object ContractOf(json::object spec);

  GhostRooms rooms_;
  GhostWish wish_;
  WorkflowId workflow_;
  bool is_own_ = false;
  // Names this reading; part of what makes each of its contracts its own.
  std::string run_;
  std::int64_t steps_ = 0;
  std::string url_;
  std::int64_t status_ = 0;
};

}  // namespace falconer::agent
