#include "policy/body/request_body.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/json/canonical_json.h"
#include "base/percent.h"
#include "base/text.h"
#include "base/utf8.h"
#include "policy/body/graphql_request.h"
#include "policy/body/loose_json.h"
#include "policy/body/multipart.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kGraphQlType = "application/graphql";
constexpr std::string_view kByteOrder = "\xEF\xBB\xBF";

// What looks like a form although it is called plain text, as beacons are.
bool LooksLikeFields(std::string_view text) {
  return text.contains('=') && !std::ranges::any_of(text, IsSpace) && !text.contains('<');
}

bool LooksLikeJson(std::string_view body) {
  if (body.starts_with(kByteOrder)) body.remove_prefix(kByteOrder.size());
  body.remove_prefix(std::min(body.find_first_not_of(" \t\r\n"), body.size()));
  return body.starts_with('{') || body.starts_with('[');
}

class JsonFlattener {
 public:
  explicit JsonFlattener(RequestBody& out) : out_(out) {}

  void Add(const json::value& value, const std::string& path, std::size_t depth) {
    if (depth > kMaxBodyDepth || out_.fields.size() >= kMaxBodyFields) {
      out_.is_whole = false;
      out_.is_cut = true;
      return;
    }
    if (const json::object* object = value.if_object()) {
      for (const auto& [key, member] : *object) {
        Add(member,
            path.empty() ? std::string(key) : fmt::format("{}.{}", path, std::string_view(key)),
            depth + 1);
      }
    } else if (const json::array* array = value.if_array()) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        Add((*array)[i], fmt::format("{}[{}]", path, i), depth + 1);
      }
    } else {
      AddLeaf(value, path);
    }
  }

 private:
  void AddLeaf(const json::value& value, const std::string& path) {
    BodyField field{.name = path};
    if (const json::string* text = value.if_string()) {
      field.value = std::string(*text);
    } else {
      field.value = json::serialize(value);
      if (value.is_double()) field.value = EcmaNumber(value.get_double());
      if (value.is_number()) field.kind = BodyField::Kind::kNumber;
    }
    out_.fields.push_back(std::move(field));
  }

  RequestBody& out_;
};

// One JSON text on each line, as logs are sent; nothing when that is not what it is.
std::vector<json::value> JsonLines(std::string_view body) {
  std::vector<json::value> values;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size());
    const std::string_view line = Trim(body.substr(0, end));
    body.remove_prefix(std::min(end + 1, body.size()));
    if (line.empty()) continue;
    auto value = ParseJson(line);
    if (!value || values.size() == kMaxBodyFields) return {};
    values.push_back(*std::move(value));
  }
  return values;
}

// A request for GraphQL as the fields of a form.
void NoteGraphQlFields(RequestBody& out) {
  for (const BodyField& field : out.fields) {
    if (field.name == "query" && field.value.contains('{')) NoteGraphQlDocument(field.value, out);
    if (field.name == "operationName") out.operations.push_back(field.value);
  }
}

void ReadPairs(std::string_view body, RequestBody& out) {
  out.is_whole = false;
  out.fields = ReadLooseJson(body);
  out.is_cut = out.is_cut || out.fields.size() == kMaxBodyFields;
  NoteGraphQlFields(out);
}

void ReadBrokenJson(std::string_view body, RequestBody& out) {
  const std::vector<json::value> lines = JsonLines(body);
  for (const json::value& line : lines) {
    NoteGraphQl(line, out);
    JsonFlattener(out).Add(line, "", 0);
  }
  out.is_only_graphql = false;
  if (!lines.empty()) return;
  ReadPairs(body, out);
}

void ReadJsonBody(std::string_view body, RequestBody& out) {
  const Result<json::value> value = ParseJson(body);
  if (!value) return ReadBrokenJson(body, out);
  NoteGraphQl(*value, out);
  JsonFlattener(out).Add(*value, "", 0);
}

void ReadFormBody(std::string_view body, RequestBody& out) {
  out.fields = ReadUrlEncoded(body);
  out.is_cut = out.is_cut || out.fields.size() == kMaxBodyFields;
  out.is_whole = out.is_whole && !out.is_cut;
}

void ReadMultipart(std::string_view content_type, std::string_view body, RequestBody& out) {
  const MultipartBody read = ReadMultipartBody(content_type, body);
  out.is_whole = read.is_whole;
  out.is_cut = read.parts.size() == kMaxParts;
  for (const MultipartPart& part : read.parts) {
    BodyField field{.name = part.field};
    if (part.is_file) {
      field.kind = BodyField::Kind::kFile;
    } else {
      out.is_cut = out.is_cut || part.content.size() > kMaxBodyBytes;
      field.value = MendedUtf8(std::string(part.content.substr(0, kMaxBodyBytes)));
    }
    out.fields.push_back(std::move(field));
  }
}

struct FormRow {
  std::string_view type;  // beginning of a media type
  BodyForm form;
};

constexpr FormRow kFormRows[] = {
    {"application/x-www-form-urlencoded", BodyForm::kUrlEncoded},
    {"multipart/form-data", BodyForm::kMultipart},
    {"application/json", BodyForm::kJson},
    {kGraphQlType, BodyForm::kText},
    {"text/", BodyForm::kText},
    {"application/xml", BodyForm::kText},
    {"image/", BodyForm::kBinary},
    {"video/", BodyForm::kBinary},
    {"audio/", BodyForm::kBinary},
    {"application/octet-stream", BodyForm::kBinary},
    {"application/pdf", BodyForm::kBinary},
    {"application/zip", BodyForm::kBinary},
};

// By what is declared; where that says little, by what is there.
BodyForm FormOf(std::string_view type, std::string_view body) {
  if (type.contains("+json")) return BodyForm::kJson;
  const bool is_json = LooksLikeJson(body);
  for (const FormRow& row : kFormRows) {
    if (!type.starts_with(row.type)) continue;
    // fetch() sends JSON as text/plain unless told otherwise, and libraries as a form. A document
    // of GraphQL begins like JSON and is none.
    const bool may_begin_so = row.form == BodyForm::kUrlEncoded || row.type == kGraphQlType;
    const bool may_be_json = row.form == BodyForm::kText || may_begin_so;
    const bool is_meant = is_json && may_be_json && (!may_begin_so || ParseJson(body));
    return is_meant ? BodyForm::kJson : row.form;
  }
  if (is_json) return BodyForm::kJson;
  return IsValidUtf8(body) ? BodyForm::kText : BodyForm::kBinary;
}

void ReadText(std::string_view type, std::string_view body, RequestBody& out) {
  if (type.starts_with(kGraphQlType)) {
    NoteGraphQlDocument(body, out);
    out.is_only_graphql = true;
  } else if (LooksLikeFields(body)) {
    ReadFormBody(body, out);
  } else {
    out.is_whole = out.is_cut = false;
    if (body.contains('{')) ReadPairs(body, out);
  }
}

}  // namespace

std::vector<BodyField> ReadUrlEncoded(std::string_view text) {
  std::vector<BodyField> fields;
  while (!text.empty() && fields.size() < kMaxBodyFields) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (!pair.empty()) {
      fields.push_back({.name = FormDecoded(pair.substr(0, equals)),
                        .value = FormDecoded(pair.substr(std::min(equals + 1, pair.size())))});
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return fields;
}

RequestBody ReadRequestBody(std::string_view content_type, std::string_view body) {
  RequestBody out;
  if (body.empty()) return out;
  const std::string type = ToLower(Trim(content_type));
  if (type.starts_with("multipart/form-data")) {
    out.form = BodyForm::kMultipart;
    ReadMultipart(content_type, body, out);
    NoteGraphQlFields(out);
    return out;
  }
  const bool is_long = body.size() > kMaxBodyBytes;
  body = body.substr(0, kMaxBodyBytes);
  out.form = FormOf(type, body);
  // Bytes say nothing in any case.
  out.is_cut = is_long && (out.form != BodyForm::kBinary || LooksLikeJson(body));
  out.is_whole = !is_long;
  switch (out.form) {
    case BodyForm::kUrlEncoded:
      ReadFormBody(body, out);
      NoteGraphQlFields(out);
      break;
    case BodyForm::kJson:
      ReadJsonBody(body, out);
      break;
    case BodyForm::kText:
      ReadText(type, body, out);
      break;
    case BodyForm::kBinary:
      // Whatever it is called, some server may take it for what it is.
      if (LooksLikeJson(body)) ReadJsonBody(body, out);
      break;
    case BodyForm::kNone:
    case BodyForm::kMultipart:
      break;
  }
  return out;
}

}  // namespace falconer::policy
