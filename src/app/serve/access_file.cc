#include "app/serve/access_file.h"

#include <system_error>

#include "base/file.h"

namespace falconer::app {
namespace {

std::filesystem::path KeyFile(const std::filesystem::path& data) {
  return data / "keys" / "serve.json";
}

Result<ServeKeys> ReadServeKeys(const std::filesystem::path& path) {
  TRY_ASSIGN(const std::string text, ReadFile(path));
  const auto value = ParseJson(text);
  auto keys = value ? api::AccessKeys::FromJson(*value) : std::unexpected(value.error());
  if (keys) return ServeKeys{*std::move(keys), {}};
  return Fail(ErrorCode::kInvalidSetting,
              path.string() + ": " + keys.error().message() + "; delete it to get new keys");
}

Result<ServeKeys> MakeServeKeys(const std::filesystem::path& path) {
  ServeKeys serve;
  serve.keys = api::AccessKeys::Generate(serve.made);
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) {
    return Fail(ErrorCode::kIoError,
                "cannot create " + path.parent_path().string() + ": " + failed.message());
  }
  // Of two that start at once one makes them.
  const auto created = CreateFileAtomic(path, json::serialize(serve.keys.ToJson()) + "\n");
  if (!created && created.error().code() != ErrorCode::kAlreadyExists) return Fail(created.error());
  return created ? Result<ServeKeys>(std::move(serve)) : ReadServeKeys(path);
}

}  // namespace

Result<ServeKeys> LoadServeKeys(const std::filesystem::path& data) {
  const std::filesystem::path path = KeyFile(data);
  auto known = ReadServeKeys(path);
  const bool is_first = !known && known.error().code() == ErrorCode::kNotFound;
  return is_first ? MakeServeKeys(path) : known;
}

}  // namespace falconer::app
