#include "policy/risk/request_body.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/json/canonical_json.h"
#include "base/utf8.h"
#include "model/text.h"
#include "policy/risk/graphql_scan.h"

namespace falconer::policy {
namespace {

std::optional<int> HexDigit(char c) {
  if (model::IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return lower - 'a' + 10;
  return std::nullopt;
}

// What looks like a form although it is called plain text, as beacons are.
bool LooksLikeFields(std::string_view text) {
  return text.contains('=') && !std::ranges::any_of(text, model::IsSpace) && !text.contains('<');
}

class JsonFlattener {
 public:
  explicit JsonFlattener(RequestBody& out) : out_(out) {}

  void Add(const json::value& value, const std::string& path, std::size_t depth) {
    if (depth > kMaxBodyDepth || out_.fields.size() >= kMaxBodyFields) {
      out_.is_whole = false;
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

void Note(RequestBody& out, const GraphQlFindings& findings) {
  if (out.graphql != GraphQlUse::kMutation) out.graphql = findings.use;
  out.operations.insert(out.operations.end(), findings.names.begin(), findings.names.end());
}

// One GraphQL request as JSON: {"query": ..., "operationName": ..., "extensions": ...}.
void NoteGraphQl(const json::value& value, RequestBody& out) {
  const json::object* object = value.if_object();
  if (object == nullptr) return;
  const std::string document = TextAt(*object, "query");
  const std::string operation = TextAt(*object, "operationName");
  const std::string_view start = model::Trim(document);
  const bool is_document = start.starts_with('{') || start.starts_with("query") ||
                           start.starts_with("mutation") || start.starts_with("subscription") ||
                           start.starts_with("fragment") || start.starts_with('#');
  if (is_document) {
    Note(out, ScanGraphQl(document));
  } else if (!operation.empty() || object->contains("extensions")) {
    // A stored document is named only by its digest.
    Note(out, {.use = GraphQlUse::kUnknown, .names = {}});
  }
  if (!operation.empty()) out.operations.push_back(operation);
}

void ReadJsonBody(std::string_view body, RequestBody& out) {
  const Result<json::value> value = ParseJson(body);
  if (!value) {
    out.is_whole = false;
    return;
  }
  if (const json::array* batch = value->if_array()) {
    for (const json::value& request : *batch) NoteGraphQl(request, out);
  } else {
    NoteGraphQl(*value, out);
  }
  JsonFlattener(out).Add(*value, "", 0);
}

// The value of a parameter: name="x", or bare.
std::string HeaderParameter(std::string_view header, std::string_view name) {
  const std::string wanted = fmt::format("{}=", name);
  std::size_t at = 0;
  while (at < header.size()) {
    const std::size_t end = std::min(header.find(';', at), header.size());
    const std::string_view part = model::Trim(header.substr(at, end - at));
    if (model::ToLower(part.substr(0, wanted.size())) == wanted) {
      std::string_view value = part.substr(wanted.size());
      if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
        value = value.substr(1, value.size() - 2);
      }
      return std::string(value);
    }
    at = end + 1;
  }
  return "";
}

// The line of a part's head that names it.
std::string_view DispositionOf(std::string_view head) {
  constexpr std::string_view kName = "content-disposition:";
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    if (model::ToLower(line.substr(0, kName.size())) == kName) return line.substr(kName.size());
    head.remove_prefix(std::min(end + 2, head.size()));
  }
  return {};
}

void ReadPart(std::string_view part, RequestBody& out) {
  const std::size_t split = part.find("\r\n\r\n");
  if (split == part.npos) {
    out.is_whole = false;
    return;
  }
  const std::string_view disposition = DispositionOf(part.substr(0, split));
  BodyField field{.name = HeaderParameter(disposition, "name")};
  const bool is_file = model::ToLower(disposition).contains("filename");
  if (is_file) {
    field.kind = BodyField::Kind::kFile;
  } else {
    field.value = MendedUtf8(std::string(part.substr(split + 4)));
  }
  out.fields.push_back(std::move(field));
}

void ReadMultipart(std::string_view content_type, std::string_view body, RequestBody& out) {
  const std::string boundary = HeaderParameter(content_type, "boundary");
  const std::string mark = "--" + boundary;
  if (boundary.empty() || !body.starts_with(mark)) {
    out.is_whole = false;
    return;
  }
  const std::string next = "\r\n" + mark;
  body.remove_prefix(mark.size());
  while (body.starts_with("\r\n")) {
    body.remove_prefix(2);
    const std::size_t end = body.find(next);
    if (out.fields.size() >= kMaxBodyFields || end == body.npos) {
      out.is_whole = false;
      // The head of a part that is cut off still says what it is.
      if (end == body.npos && body.contains("\r\n\r\n")) ReadPart(body, out);
      return;
    }
    ReadPart(body.substr(0, end), out);
    body.remove_prefix(end + next.size());
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
    {"application/graphql", BodyForm::kText},
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
  const std::string_view start = model::Trim(body.substr(0, 64));
  const bool looks_like_json = start.starts_with('{') || start.starts_with('[');
  if (type.contains("+json")) return BodyForm::kJson;
  for (const FormRow& row : kFormRows) {
    if (!type.starts_with(row.type)) continue;
    // fetch() sends JSON as text/plain unless told otherwise.
    return row.form == BodyForm::kText && looks_like_json ? BodyForm::kJson : row.form;
  }
  if (looks_like_json) return BodyForm::kJson;
  return IsValidUtf8(body) ? BodyForm::kText : BodyForm::kBinary;
}

}  // namespace

std::string FormDecoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return PercentDecoded(spaced);
}

std::string PercentDecoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<int> high = i + 2 < text.size() ? HexDigit(text[i + 1]) : std::nullopt;
    const std::optional<int> low = i + 2 < text.size() ? HexDigit(text[i + 2]) : std::nullopt;
    if (text[i] == '%' && high && low) {
      out += static_cast<char>(*high * 16 + *low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

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
  out.is_whole = body.size() <= kMaxBodyBytes;
  body = body.substr(0, kMaxBodyBytes);
  const std::string type = model::ToLower(model::Trim(content_type));
  out.form = FormOf(type, body);
  switch (out.form) {
    case BodyForm::kUrlEncoded:
      out.fields = ReadUrlEncoded(body);
      out.is_whole = out.is_whole && out.fields.size() < kMaxBodyFields;
      break;
    case BodyForm::kMultipart:
      ReadMultipart(content_type, body, out);
      break;
    case BodyForm::kJson:
      ReadJsonBody(body, out);
      break;
    case BodyForm::kText:
      if (type.starts_with("application/graphql")) {
        Note(out, ScanGraphQl(body));
      } else if (LooksLikeFields(body)) {
        out.fields = ReadUrlEncoded(body);
      } else {
        out.is_whole = false;
      }
      break;
    case BodyForm::kNone:
    case BodyForm::kBinary:
      break;
  }
  return out;
}

}  // namespace falconer::policy
