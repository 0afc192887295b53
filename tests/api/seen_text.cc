#include "tests/api/seen_text.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/api/child_program.h"

namespace falconer::test {
namespace {

std::string Ran(std::string tool, std::vector<std::string> arguments) {
  // One thread for each of them: the machine runs other tests beside this one.
  const Ended ended = RunTool(tool, std::move(arguments), {"OMP_THREAD_LIMIT=1"});
  EXPECT_EQ(ended.exit_code, 0) << tool << ": " << ended.err;
  return ended.out;
}

std::string WordsIn(const std::filesystem::path& picture) {
  // One block of lines, as forms and tables are.
  return Ran("/usr/bin/tesseract", {picture.string(), "stdout", "--psm", "6"});
}

}  // namespace

std::string TextInPicture(std::string_view png) {
  const TempDir folder = TempDir::Create("falconer-seen-").value();
  const auto picture = folder.path() / "picture.png";
  EXPECT_TRUE(WriteFileAtomic(picture, png));
  return WordsIn(picture);
}

std::string TextInPdf(const std::filesystem::path& file) {
  const TempDir folder = TempDir::Create("falconer-seen-").value();
  std::string text = Ran("/usr/bin/pdftotext", {file.string(), "-"});
  Ran("/usr/bin/pdftoppm", {"-r", "100", "-png", file.string(), (folder.path() / "page").string()});
  for (const auto& page : std::filesystem::directory_iterator(folder.path()))
    text += "\n" + WordsIn(page.path());
  return text;
}

}  // namespace falconer::test
