#pragma once
// In which order the words of a picture are read, by where they stand: columns one after the other,
// rows of a table as rows. Programs that read pictures guess this too, each time another way; here
// it only depends on the boxes.

#include <vector>

#include "agent/ghost/ocr_words.h"

namespace falconer::agent {

// The words in reading order, numbered anew: `block` is a column, a table or what stands between
// them, `paragraph` and `line` are counted within it.
std::vector<OcrWord> InReadingOrder(std::vector<OcrWord> words);

}  // namespace falconer::agent
