#pragma once
// OcrReader: reads the text in a picture on this machine, by a program that runs as an isolated
// child with bounded time and memory and without a network.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "agent/ghost/ocr_words.h"
#include "base/async/call_context.h"

namespace falconer::agent {

struct OcrSettings {
  std::string program = "tesseract";  // a path, or a name in PATH
  std::string languages = "eng";      // joined by +
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
  // Folders that the program finds empty: what reads pictures of strangers may be broken by one.
  std::vector<std::filesystem::path> hidden = {};
};

// kInvalidSetting for languages that are no names, or without a program.
Result<void> CheckOcrSettings(const OcrSettings& settings);

struct OcrReading {
  std::vector<OcrWord> words;
  std::string text;
};

class OcrReader {
 public:
  explicit OcrReader(OcrSettings settings) : settings_(std::move(settings)) {}

  // Text of the usual size is read best at twice its size.
  static constexpr double kBestScale = 2;

  // The words in a PNG that shows `scale` of its pixels for each CSS pixel. kInvalidSetting for
  // languages that are no names, kExecutionError when the program failed (with what it said), and
  // as RunChild does.
  Task<Result<OcrReading>> Read(CallContext ctx, std::string png, double scale) const;

 private:
  OcrSettings settings_;
};

}  // namespace falconer::agent
