#pragma once
// RequestPreview: a request about to leave, or an action about to begin, as the person who decides
// about it sees it. What must not be seen is masked; what stands here may be shown, stored and sent
// on.

#include <cstdint>
#include <string>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class PreviewForm : std::uint8_t {
  kNone,
  kForm,
  kMultipart,
  kJson,
  kGraphQl,
  kText,
  kBinary,
  kAction,  // no request: what an action is told to do
};

inline constexpr EnumName<PreviewForm> kPreviewForms[] = {
    {PreviewForm::kNone, "none"},           {PreviewForm::kForm, "form"},
    {PreviewForm::kMultipart, "multipart"}, {PreviewForm::kJson, "json"},
    {PreviewForm::kGraphQl, "graphql"},     {PreviewForm::kText, "text"},
    {PreviewForm::kBinary, "binary"},       {PreviewForm::kAction, "action"},
};

// A header, or a field of the body.
struct PreviewField {
  std::string name;
  std::string value;
  bool operator==(const PreviewField&) const = default;
};

// A file that is sent along. Its content is told by its digest, never shown.
struct PreviewFile {
  std::string field;
  std::string name;
  std::string content_type;
  bool is_known = true;  // false: the browser reads it only while it sends it
  std::uint64_t bytes = 0;
  std::string sha256;
  bool operator==(const PreviewFile&) const = default;
};

struct RequestPreview {
  std::string method;  // "" of an action
  std::string url;     // of the page, of an action
  // Without those that prove who somebody is: cookies, authorization.
  std::vector<PreviewField> headers;
  PreviewForm form = PreviewForm::kNone;
  std::uint64_t body_bytes = 0;
  std::string body_sha256;    // "" without a body, and when files of it are still on the disk
  bool is_body_whole = true;  // false: the browser did not give all of it, or it cannot be read
  std::vector<PreviewField> fields;  // of forms, multipart, GraphQL (its operations) and actions
  std::vector<PreviewFile> files;
  std::string body;         // masked text, where there is any; an action's script
  bool is_cut = false;      // the preview is shorter than the body
  std::int64_t masked = 0;  // how many values are
  std::string effect;       // in words

  json::object ToJson() const;
  bool operator==(const RequestPreview&) const = default;
};

// For documents that hold one; unknown fields are errors.
RequestPreview ReadRequestPreview(JsonReader& in);

}  // namespace falconer::model
