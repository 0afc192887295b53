#pragma once
// Words that were read in a picture, with their places on the page, and the text they make. Pure
// functions from what the program that reads pictures wrote.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json/json.h"
#include "model/geometry.h"

namespace falconer::agent {

// Which part of the page a picture shows, in CSS pixels, and how many of its pixels one is.
struct PictureArea {
  model::Rect rect;
  double scale = 1;
};

struct OcrWord {
  std::string text;
  // In CSS pixels, from the corner of what the picture shows: of the page, or of the viewport.
  // Whoever presses its middle meets the word.
  model::Rect box;
  double confidence = 0;  // 0 to 100
  // Which belong together, as numbered in the picture.
  int block = 0;
  int paragraph = 0;
  int line = 0;
};

// The words of a TSV file in its order. Marks without a letter
// or digit that it is unsure about are left out: they are edges and icons. kExecutionError when it
// is no such file.
Result<std::vector<OcrWord>> ParseOcrTsv(std::string_view tsv, double scale);

// One line for each line, an empty one between paragraphs; indented lines stay indented, and what
// stands in columns of a table is parted by " | ".
std::string LayoutText(const std::vector<OcrWord>& words);

// {"text","x","y","width","height","confidence"}
json::object ToJson(const OcrWord& word);

}  // namespace falconer::agent
