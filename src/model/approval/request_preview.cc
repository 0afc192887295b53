#include "model/approval/request_preview.h"

namespace falconer::model {
namespace {

json::array PreviewFieldsJson(const std::vector<PreviewField>& fields) {
  json::array out;
  for (const PreviewField& field : fields) {
    out.push_back(json::object{{"name", field.name}, {"value", field.value}});
  }
  return out;
}

PreviewField ReadPreviewField(JsonReader& in) {
  return {.name = in.String("name"), .value = in.String("value")};
}

json::array PreviewFilesJson(const std::vector<PreviewFile>& files) {
  json::array out;
  for (const PreviewFile& file : files) {
    out.push_back(json::object{{"field", file.field},
                               {"name", file.name},
                               {"content_type", file.content_type},
                               {"is_known", file.is_known},
                               {"bytes", static_cast<std::int64_t>(file.bytes)},
                               {"sha256", file.sha256}});
  }
  return out;
}

PreviewFile ReadPreviewFile(JsonReader& in) {
  return {.field = in.String("field"),
          .name = in.String("name"),
          .content_type = in.String("content_type"),
          .is_known = in.Bool("is_known"),
          .bytes = static_cast<std::uint64_t>(in.Integer("bytes", {.min = 0})),
          .sha256 = in.String("sha256")};
}

}  // namespace

json::object RequestPreview::ToJson() const {
  json::object out{{"method", method},
                   {"url", url},
                   {"headers", PreviewFieldsJson(headers)},
                   {"form", NameIn(kPreviewForms, form)},
                   {"body_bytes", static_cast<std::int64_t>(body_bytes)},
                   {"is_body_whole", is_body_whole},
                   {"is_cut", is_cut},
                   {"masked", masked},
                   {"effect", effect}};
  if (!body_sha256.empty()) out["body_sha256"] = body_sha256;
  if (!fields.empty()) out["fields"] = PreviewFieldsJson(fields);
  if (!files.empty()) out["files"] = PreviewFilesJson(files);
  if (!body.empty()) out["body"] = body;
  return out;
}

RequestPreview ReadRequestPreview(JsonReader& in) {
  return {.method = in.String("method"),
          .url = in.String("url"),
          .headers = in.Objects("headers", ReadPreviewField),
          .form = in.Enum("form", kPreviewForms),
          .body_bytes = static_cast<std::uint64_t>(in.Integer("body_bytes", {.min = 0})),
          .body_sha256 = in.OptionalString("body_sha256").value_or(""),
          .is_body_whole = in.Bool("is_body_whole"),
          .fields = in.OptionalObjects("fields", ReadPreviewField),
          .files = in.OptionalObjects("files", ReadPreviewFile),
          .body = in.OptionalString("body").value_or(""),
          .is_cut = in.Bool("is_cut"),
          .masked = in.Integer("masked", {.min = 0}),
          .effect = in.String("effect")};
}

}  // namespace falconer::model
