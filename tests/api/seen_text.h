#pragma once
// What an eye can read in pictures and documents, by programs that know nothing of the product:
// tesseract for pictures, poppler for PDF files.

#include <filesystem>
#include <string>
#include <string_view>

namespace falconer::test {

// The words in a PNG. Fails the test when the bytes are no picture.
std::string TextInPicture(std::string_view png);

// The words of a PDF, covered or not, and what is to be seen when its pages are drawn.
std::string TextInPdf(const std::filesystem::path& file);

}  // namespace falconer::test
