#include "agent/ghost/ghost_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <tuple>
#include <utility>

#include "agent/ghost/vision_reader.h"
#include "base/utf8.h"

namespace falconer::agent {
namespace {

// Wide enough for everything: text is read from as many pixels as there are.
constexpr std::int64_t kOcrWidth = 16'384;
// Models refuse longer pictures.
constexpr double kMostModelHeight = 7600;
constexpr std::string_view kBlockedQuality = "blocked";
constexpr std::string_view kEmptyQuality = "empty";

std::chrono::milliseconds ElapsedSince(const CallContext& ctx, TimePoint began) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(ctx.clock().Now() - began);
}

std::size_t CountWordsIn(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string word; in >> word;) ++count;
  return count;
}

// So little is no content of a page that was refused.
bool IsLittle(const std::string& text) {
  return text.size() < 80 || CountWordsIn(text) < 15;
}

// What a picture shows, by the words in it and by what the page is.
PageType TypeOf(const std::string& text, const std::optional<BlockVerdict>& block) {
  if (block && IsWall(block->signal)) return PageType::kBlocked;
  if (CountWordsIn(text) == 0) return PageType::kEmpty;
  const bool was_refused = block && block->signal != BlockSignal::kEmptySpaShell;
  return was_refused && IsLittle(text) ? PageType::kBlocked : PageType::kContent;
}

// Without those of lines of which something is masked or put away.
std::vector<OcrWord> WordsShown(const std::vector<OcrWord>& words, const GhostRooms& rooms) {
  const auto key = [](const OcrWord& word) {
    return std::tuple(word.block, word.paragraph, word.line);
  };
  std::vector<OcrWord> shown;
  for (auto line = words.begin(); line != words.end();) {
    const auto end = std::find_if(line, words.end(),
                                  [&](const OcrWord& word) { return key(word) != key(*line); });
    std::string text;
    for (auto word = line; word != end; ++word) text += (text.empty() ? "" : " ") + word->text;
    if (rooms.clean(text) == text) shown.insert(shown.end(), line, end);
    line = end;
  }
  return shown;
}

Error WallError(const GhostPage& page, const std::optional<BlockVerdict>& block) {
  const std::string what =
      block ? fmt::format("{} ({})", NameIn(kBlockSignals, block->signal), block->reason)
            : "as the picture shows";
  const std::string way =
      page.is_own() ? "open it in a named session to hand it to a person"
                    : fmt::format("a person can take over the session {}", page.session());
  return {ErrorCode::kActionExecutionFailed,
          fmt::format("the page keeps visitors out: {}; it is not got round; {}", what, way)};
}

Error TypeError(PageType type) {
  return {ErrorCode::kActionExecutionFailed, type == PageType::kEmpty
                                                 ? "there is nothing to read in the picture"
                                                 : "the picture shows an error message"};
}

}  // namespace

// One page on its way.
struct GhostReader::Reading {
  GhostPage page;
  GhostResult result;
  PageReading dom;

  // What the picture came to.
  void Settle(PageType type, std::string text) {
    result.render_mode = RenderMode::kGhost;
    const bool is_wall = result.block && IsWall(result.block->signal);
    result.blocked_content = is_wall || type == PageType::kBlocked;
    result.success = !result.blocked_content && type == PageType::kContent;
    const auto most = static_cast<std::size_t>(page.wish().max_chars);
    result.truncated = text.size() > most;
    result.content = page.Clean(Utf8Prefix(text, most));
    result.error = std::nullopt;
    if (result.blocked_content) {
      result.error = WallError(page, result.block);
    } else if (!result.success) {
      result.error = TypeError(type);
    }
  }

  void SettleDom(RenderMode mode) {
    result.render_mode = mode;
    result.content = dom.markdown;
    result.truncated = dom.is_truncated;
    result.success = true;
    result.error = std::nullopt;
  }

  bool HasDom() const {
    return dom.quality != kBlockedQuality && dom.quality != kEmptyQuality && !dom.markdown.empty();
  }
};

GhostReader::GhostReader(GhostRooms rooms, GhostSetup setup)
    : rooms_(std::move(rooms)), settings_(std::move(setup.settings)), vision_(setup.vision) {
}

Result<void> GhostReader::CheckGates(const GhostWish& wish) const {
  if (!settings_.enabled)
    return Fail(ErrorCode::kPolicyDenied, "pictures are not read: agent.ghost.enabled is false");
  if (!wish.allow_ghost)
    return Fail(ErrorCode::kPolicyDenied, "pictures are not read: allow_ghost was not given");
  if (wish.trigger == GhostTrigger::kWhenBlocked && !settings_.auto_trigger)
    return Fail(ErrorCode::kPolicyDenied,
                "pictures are not read by themselves: agent.ghost.auto_trigger is false");
  return {};
}

Task<Result<GhostResult>> GhostReader::Extract(CallContext ctx, GhostWish wish) const {
  if (wish.trigger == GhostTrigger::kAlways) CO_TRY(CheckGates(wish));
  const TimePoint began = ctx.clock().Now();
  Reading reading{.page = GhostPage(rooms_, std::move(wish)), .result = {}, .dom = {}};
  auto run = co_await Run(ctx, &reading);
  co_await reading.page.Close(ctx);
  CO_TRY(std::move(run));
  reading.result.total = ElapsedSince(ctx, began);
  co_return std::move(reading.result);
}

Task<Result<void>> GhostReader::Run(CallContext ctx, Reading* reading) const {
  GhostResult& result = reading->result;
  GhostPage& page = reading->page;
  CO_TRY(co_await page.Open(ctx));
  CO_TRY(co_await Judge(ctx, reading));
  CO_TRY_ASSIGN(reading->dom, co_await page.Read(ctx));
  result.url = page.Clean(page.url());
  result.title = reading->dom.title;
  result.status = page.status();
  result.workflow = page.session();
  result.session = page.is_own() ? "" : page.session();
  const bool is_blocked = result.block && result.block->Triggers();
  if (page.wish().trigger == GhostTrigger::kWhenBlocked && !is_blocked) {
    reading->SettleDom(RenderMode::kDom);
    co_return Result<void>();
  }
  if (const auto open = CheckGates(page.wish()); !open) {
    result.content = reading->dom.markdown;
    result.blocked_content = is_blocked;
    result.error = open.error();
    co_return Result<void>();
  }
  co_await ReadPicture(std::move(ctx), reading);
  co_return Result<void>();
}

Task<Result<void>> GhostReader::Judge(CallContext ctx, Reading* reading) const {
  GhostPage& page = reading->page;
  std::optional<BlockVerdict>& block = reading->result.block;
  CO_TRY_ASSIGN(BlockFacts facts, co_await page.Facts(ctx));
  block = JudgeBlock(facts, page.status());
  if (!block || block->signal != BlockSignal::kEmptySpaShell) co_return Result<void>();
  co_await page.Rest(ctx);
  CO_TRY_ASSIGN(facts, co_await page.Facts(ctx));
  block = JudgeBlock(facts, page.status());
  co_return Result<void>();
}

Task<void> GhostReader::ReadPicture(CallContext ctx, Reading* reading) const {
  GhostResult& result = reading->result;
  for (std::int64_t tries = 0; tries <= settings_.max_retries; ++tries) {
    if (const auto read = co_await TryPicture(ctx, reading); !read) result.error = read.error();
    // A wall stays one, however often it is looked at.
    if (result.success || result.blocked_content || !ctx.StillWanted("a picture")) break;
  }
  const bool is_wall = result.block && IsWall(result.block->signal);
  if (is_wall && !result.blocked_content) {
    result.blocked_content = true;
    result.content = reading->dom.markdown;
    result.error = WallError(reading->page, result.block);
  }
  if (!result.success && !result.blocked_content && reading->HasDom())
    reading->SettleDom(RenderMode::kGhostDom);
}

bool GhostReader::UsesVision(const GhostWish& wish) const {
  if (wish.method != GhostMethod::kAuto) return wish.method == GhostMethod::kVision;
  return vision_ != nullptr && !wish.prompt.empty();
}

Task<Result<void>> GhostReader::TryPicture(CallContext ctx, Reading* reading) const {
  const GhostWish& wish = reading->page.wish();
  if (UsesVision(wish)) co_return co_await ByVision(std::move(ctx), reading);
  auto read = co_await ByOcr(ctx, reading);
  // On a machine without the program a model may look instead.
  const bool may_look = wish.method == GhostMethod::kAuto && vision_ != nullptr;
  if (!read && may_look && read.error().code() == ErrorCode::kToolUnavailable)
    co_return co_await ByVision(std::move(ctx), reading);
  co_return read;
}

Task<Result<Picture>> GhostReader::TakeFor(CallContext ctx, Reading* reading,
                                           PictureWish wish) const {
  GhostResult& result = reading->result;
  const TimePoint began = ctx.clock().Now();
  wish.viewport_only = reading->page.wish().viewport_only;
  ++result.tries;
  auto picture = co_await reading->page.Take(ctx, wish);
  result.capture += ElapsedSince(ctx, began);
  if (picture) result.screenshot = picture->artifact;
  co_return picture;
}

Task<Result<void>> GhostReader::ByOcr(CallContext ctx, Reading* reading) const {
  GhostResult& result = reading->result;
  CO_TRY_ASSIGN(
      Picture picture,
      co_await TakeFor(ctx, reading, {.scale = OcrReader::kBestScale, .max_width = kOcrWidth}));
  const TimePoint began = ctx.clock().Now();
  result.provider = settings_.ocr.program;
  const OcrReader reader(settings_.ocr);
  auto read = co_await reader.Read(ctx, std::move(picture.bytes), picture.area.scale);
  result.extraction += ElapsedSince(ctx, began);
  CO_TRY(read);
  reading->Settle(TypeOf(read->text, result.block), read->text);
  result.words = WordsShown(read->words, reading->page.rooms());
  co_return Result<void>();
}

Task<Result<void>> GhostReader::ByVision(CallContext ctx, Reading* reading) const {
  GhostResult& result = reading->result;
  if (vision_ == nullptr)
    co_return Fail(ErrorCode::kToolUnavailable, "there is no model to look at pictures");
  PictureWish how{.scale = 1, .max_width = settings_.max_image_width, .format = "jpeg"};
  CO_TRY_ASSIGN(Picture picture, co_await TakeFor(ctx, reading, how));
  const double height = picture.area.rect.height * picture.area.scale;
  if (height > kMostModelHeight) {
    how.scale = std::max(picture.area.scale * kMostModelHeight / height, model::kScales.min);
    CO_TRY_ASSIGN(picture, co_await TakeFor(ctx, reading, how));
  }
  const TimePoint began = ctx.clock().Now();
  const VisionReader reader(*vision_);
  auto read = co_await reader.Read(ctx, {.media_type = picture.mime, .bytes = picture.bytes},
                                   reading->page.wish().prompt);
  result.extraction += ElapsedSince(ctx, began);
  CO_TRY(read);
  result.provider = read->provider;
  result.cost_micros += read->cost_micros;
  reading->Settle(read->type, read->text);
  co_return Result<void>();
}

}  // namespace falconer::agent
