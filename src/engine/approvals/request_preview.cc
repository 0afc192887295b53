#include "engine/approvals/request_preview.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "base/utf8.h"
#include "policy/body/multipart.h"
#include "policy/body/request_body.h"

namespace falconer::engine {
namespace {

using model::PreviewField;
using model::PreviewForm;
using model::RequestPreview;
using policy::BodyForm;
using policy::Surface;

constexpr std::size_t kLongestUrl = 2048;
constexpr std::size_t kLongestValue = 512;
constexpr std::size_t kLongestBody = 8192;
constexpr std::size_t kMostMaskedShown = 1 << 20;  // bytes of a body; more of it is not shown
constexpr std::size_t kMostFields = 64;

// They prove who somebody is; not even masked would they help anybody to decide.
constexpr std::string_view kHiddenHeaders[] = {
    "cookie",  "authorization", "proxy-authorization", "set-cookie",
    "cookie2", "x-csrf-token",  "x-xsrf-token"};

struct PreviewFormRow {
  BodyForm body;
  PreviewForm form;
};
constexpr PreviewFormRow kPreviewFormRows[] = {
    {BodyForm::kNone, PreviewForm::kNone},           {BodyForm::kUrlEncoded, PreviewForm::kForm},
    {BodyForm::kMultipart, PreviewForm::kMultipart}, {BodyForm::kJson, PreviewForm::kJson},
    {BodyForm::kText, PreviewForm::kText},           {BodyForm::kBinary, PreviewForm::kBinary},
};

// Builds one preview; what it shows has passed the redactor.
class PreviewMaker {
 public:
  PreviewMaker(const HeldBytes& held, const policy::Redactor& redactor)
      : held_(held), redactor_(redactor) {}

  RequestPreview Make(const policy::Risk& risk) {
    out_.method = std::string(held_.method);
    out_.url = Masked(std::string(held_.url.substr(0, held_.url.find('#'))), kLongestUrl);
    AddHeaders();
    const bool is_known = held_.is_body_whole || IsKnownByFiles();
    if (!held_.body.empty() || !is_known) AddBody();
    out_.is_body_whole = out_.is_body_whole && is_known;
    out_.effect = EffectOf(out_.method, out_.url, risk);
    return std::move(out_);
  }

  RequestPreview Make(const ActionInWords& action) {
    out_.form = PreviewForm::kAction;
    out_.url = Masked(action.url, kLongestUrl);
    for (const PreviewField& detail : action.details)
      out_.fields.push_back(MaskedField(detail.name, detail.value, kLongestBody));
    for (const model::PreviewFile& file : action.files) {
      out_.files.push_back(file);
      out_.files.back().name = Masked(file.name, kLongestValue);
    }
    // All of it: a script that is cut says nothing of what it does.
    out_.body = Masked(action.script, std::string::npos);
    out_.effect = Masked(action.what, kLongestUrl);
    return std::move(out_);
  }

 private:
  bool IsKnownByFiles() const {
    return !held_.body_gaps.empty() && held_.files.size() == held_.body_gaps.size();
  }

  std::string Cut(std::string text, std::size_t most) {
    if (text.size() <= most) return text;
    out_.is_cut = true;
    return std::string(Utf8Prefix(text, most)) + "…";
  }

  // Masked as a whole first: half of a secret may not look like one.
  std::string Masked(std::string text, std::size_t most) {
    text = MendedUtf8(std::move(text));
    out_.masked += redactor_.RedactText(Surface::kPreview, text).total();
    return Cut(std::move(text), most);
  }

  PreviewField MaskedField(std::string name, std::string_view content,
                           std::size_t most = kLongestValue) {
    json::value value(MendedUtf8(std::string(content)));
    out_.masked += redactor_.RedactField(Surface::kPreview, name, value).total();
    const std::string shown =
        value.is_string() ? std::string(value.get_string()) : json::serialize(value);
    return {.name = Masked(std::move(name), kLongestValue), .value = Cut(shown, most)};
  }

  void AddHeaders() {
    for (const PreviewField& header : held_.headers) {
      const std::string name = ToLower(Trim(header.name));
      if (name == "content-type") content_type_ = header.value;
      const bool is_hidden = std::ranges::find(kHiddenHeaders, name) != std::end(kHiddenHeaders);
      if (is_hidden || name.starts_with(':')) continue;
      if (out_.headers.size() == kMostFields) {
        out_.is_cut = true;
        return;
      }
      out_.headers.push_back(MaskedField(header.name, header.value));
    }
  }

  void AddField(std::string name, std::string_view content) {
    if (out_.fields.size() == kMostFields) {
      out_.is_cut = true;
      return;
    }
    out_.fields.push_back(MaskedField(std::move(name), content));
  }

  void AddBody() {
    const policy::RequestBody body = policy::ReadRequestBody(content_type_, held_.body);
    out_.body_bytes = held_.body.size();
    for (const HeldFile& file : held_.files) out_.body_bytes += file.bytes;
    if (held_.is_body_whole) out_.body_sha256 = Sha256Hex(held_.body);
    out_.form = std::ranges::find(kPreviewFormRows, body.form, &PreviewFormRow::body)->form;
    // There is something, and nobody can say what.
    if (out_.form == PreviewForm::kNone) out_.form = PreviewForm::kBinary;
    const bool is_text = out_.form == PreviewForm::kJson || out_.form == PreviewForm::kText;
    if (is_text && body.graphql != policy::GraphQlUse::kNone) out_.form = PreviewForm::kGraphQl;
    switch (out_.form) {
      case PreviewForm::kForm:
        for (const auto& field : body.fields) AddField(field.name, field.value);
        out_.is_cut = out_.is_cut || !body.is_whole;
        break;
      case PreviewForm::kMultipart:
        AddMultipart();
        break;
      case PreviewForm::kGraphQl:
        for (const std::string& name : body.operations) AddField("operation", name);
        AddBodyText();
        break;
      case PreviewForm::kJson:
      case PreviewForm::kText:
        AddBodyText();
        break;
      case PreviewForm::kNone:
      case PreviewForm::kBinary:
      case PreviewForm::kAction:
        break;
    }
  }

  void AddBodyText() {
    std::string text(held_.body.substr(0, kMostMaskedShown));
    out_.is_cut = out_.is_cut || text.size() < held_.body.size();
    text = MendedUtf8(std::move(text));
    out_.masked += redactor_.RedactBody(Surface::kPreview, content_type_, text).total();
    out_.body = Cut(std::move(text), kLongestBody);
  }

  void AddMultipart() {
    const policy::MultipartBody body = policy::ReadMultipartBody(content_type_, held_.body);
    out_.is_body_whole = body.is_whole;
    for (const policy::MultipartPart& part : body.parts) {
      if (!part.is_file) {
        AddField(part.field, part.content);
      } else if (out_.files.size() == kMostFields) {
        out_.is_cut = true;
      } else {
        AddFile(part);
      }
    }
  }

  // Of a file that is still on the disk size and digest are known when an action of ours gave it.
  void AddFile(const policy::MultipartPart& part) {
    const auto begin = static_cast<std::size_t>(part.content.data() - held_.body.data());
    const std::size_t end = begin + part.content.size();
    const auto is_inside = [&](std::size_t gap) { return begin <= gap && gap <= end; };
    const bool is_here = std::ranges::none_of(held_.body_gaps, is_inside);
    const auto given = std::ranges::find_if(held_.files, is_inside, &HeldFile::gap);
    const bool is_given = !is_here && given != held_.files.end();
    const std::string sha256 = is_here ? Sha256Hex(part.content) : is_given ? given->sha256 : "";
    const std::uint64_t bytes = is_here ? part.content.size() : is_given ? given->bytes : 0;
    out_.files.push_back({.field = Masked(part.field, kLongestValue),
                          .name = Masked(part.file_name, kLongestValue),
                          .content_type = Masked(part.content_type, kLongestValue),
                          .is_known = is_here || is_given,
                          .bytes = bytes,
                          .sha256 = sha256});
  }

  const HeldBytes& held_;
  const policy::Redactor& redactor_;
  std::string content_type_;
  RequestPreview out_;
};

}  // namespace

RequestPreview PreviewOf(const HeldBytes& held, const policy::Risk& risk,
                         const policy::Redactor& redactor) {
  return PreviewMaker(held, redactor).Make(risk);
}

RequestPreview PreviewOf(const ActionInWords& action, const policy::Redactor& redactor) {
  const HeldBytes nothing{};
  return PreviewMaker(nothing, redactor).Make(action);
}

}  // namespace falconer::engine
