#include "app/predict/given_values.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/predict_wishes.h"
#include "app/act/act_input.h"
#include "base/file.h"

namespace falconer::app {
namespace {

Error WrongParameter(std::string_view name, std::string_view why) {
  return {ErrorCode::kInvalidArgument, fmt::format("--param {}: {}", name, why)};
}

std::string WithoutLineEnd(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

// One more than is allowed tells that there is too much.
Result<std::string> FileText(const std::string& path) {
  TRY_ASSIGN(std::string text, ReadFile(path, api::kLongestParameter + 3));
  return WithoutLineEnd(std::move(text));
}

class ValueReader {
 public:
  explicit ValueReader(const std::function<Result<std::string>()>& input) : input_(input) {}

  Result<std::string> Read(const std::string& name, const std::string& said) {
    TRY_ASSIGN(std::string value, Said(name, said));
    if (value.size() <= api::kLongestParameter) return value;
    return Fail(
        WrongParameter(name, fmt::format("has more than {} bytes", api::kLongestParameter)));
  }

 private:
  Result<std::string> Said(const std::string& name, const std::string& said) {
    if (said == "-") return FromInput(name);
    if (said.starts_with("@@")) return said.substr(1);
    if (said == "@") return Fail(WrongParameter(name, "@ names no file"));
    if (said.starts_with('@')) return FileText(said.substr(1));
    return said;
  }

  Result<std::string> FromInput(const std::string& name) {
    if (has_read_)
      return Fail(WrongParameter(name, "standard input is another parameter's already"));
    has_read_ = true;
    TRY_ASSIGN(std::string text, input_());
    return WithoutLineEnd(std::move(text));
  }

  const std::function<Result<std::string>()>& input_;
  bool has_read_ = false;
};

}  // namespace

Result<predict::ParameterValues> GivenValues(const std::vector<std::string>& words,
                                             const std::function<Result<std::string>()>& input) {
  predict::ParameterValues values;
  ValueReader reader(input);
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return Fail(ErrorCode::kInvalidArgument,
                  "--param: expected NAME=VALUE, NAME=@FILE or NAME=-");
    const std::string name = word.substr(0, equals);
    TRY_ASSIGN(std::string value, reader.Read(name, word.substr(equals + 1)));
    if (!values.emplace(name, std::move(value)).second)
      return Fail(WrongParameter(name, "is given twice"));
  }
  return values;
}

Result<predict::ParameterValues> GivenValues(const std::vector<std::string>& words) {
  return GivenValues(words, [] { return ReadActText("-"); });
}

}  // namespace falconer::app
