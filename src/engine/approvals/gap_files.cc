#include "engine/approvals/gap_files.h"

#include <algorithm>

#include "policy/body/multipart.h"

namespace falconer::engine {
namespace {

std::unexpected<Error> CannotBeRead() {
  return Fail(Error(ErrorCode::kApprovalDenied,
                    "a part of the body cannot be read before it is sent, so nobody can approve it",
                    {{"reason", "body_cannot_be_read"}}));
}

}  // namespace

Result<std::vector<std::filesystem::path>> FilesInGaps(const browser::RequestFacts& facts,
                                                       const browser::GivenFiles& given) {
  std::vector<std::filesystem::path> files;
  if (facts.body_gaps.empty()) {
    if (!facts.is_body_whole) return CannotBeRead();
    return files;
  }
  const policy::MultipartBody body =
      policy::ReadMultipartBody(facts.HeaderValue("content-type"), facts.body);
  if (!body.is_whole) return CannotBeRead();
  for (const std::size_t gap : facts.body_gaps) {
    const auto is_here = [&](const policy::MultipartPart& part) {
      const auto at = static_cast<std::size_t>(part.content.data() - facts.body.data());
      return part.is_file && part.content.empty() && at == gap;
    };
    const auto part = std::ranges::find_if(body.parts, is_here);
    const bool is_alone = std::ranges::count(facts.body_gaps, gap) == 1;
    if (part == body.parts.end() || !is_alone) return CannotBeRead();
    const auto file = given.Named(part->file_name);
    if (!file) return CannotBeRead();
    files.push_back(*file);
  }
  return files;
}

}  // namespace falconer::engine
