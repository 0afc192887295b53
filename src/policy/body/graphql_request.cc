#include "policy/body/graphql_request.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kMembers[] = {"query", "variables", "operationName", "extensions"};

bool IsNullOrObject(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr || value->is_null() || value->is_object();
}

// A digest names a document that the server keeps. It is this one only when it is this one's.
bool NamesNoOther(const json::object& object, std::string_view document) {
  const json::value* extensions = object.if_contains("extensions");
  if (extensions == nullptr || !extensions->is_object()) return true;
  const json::value* stored = extensions->get_object().if_contains("persistedQuery");
  if (stored == nullptr || stored->is_null()) return true;
  return stored->is_object() && TextAt(stored->get_object(), "sha256Hash") == Sha256Hex(document);
}

// Whether nothing in it but its document says what is done.
bool IsPlainRequest(const json::object& object, std::string_view document) {
  const bool has_others = std::ranges::any_of(object, [](const auto& member) {
    return std::ranges::find(kMembers, std::string_view(member.key())) == std::end(kMembers);
  });
  const json::value* name = object.if_contains("operationName");
  const bool has_name = name == nullptr || name->is_null() || name->is_string();
  return !has_others && has_name && IsNullOrObject(object, "variables") &&
         IsNullOrObject(object, "extensions") && NamesNoOther(object, document);
}

bool NoteRequest(const json::value& value, RequestBody& out) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  const std::string document = TextAt(*object, "query");
  const std::string operation = TextAt(*object, "operationName");
  const bool has_document = document.contains('{');
  if (has_document) {
    NoteGraphQlDocument(document, out);
  } else if (!operation.empty() || object->contains("extensions")) {
    // A stored document is named only by its digest.
    out.graphql = std::max(out.graphql, GraphQlUse::kUnknown);
  }
  if (!operation.empty()) out.operations.push_back(operation);
  return has_document && IsPlainRequest(*object, document);
}

}  // namespace

void NoteGraphQlDocument(std::string_view document, RequestBody& out) {
  GraphQlFindings found = ScanGraphQl(document);
  out.graphql = std::max(out.graphql, found.use);
  out.is_cut = out.is_cut || found.is_cut;
  std::ranges::move(found.names, std::back_inserter(out.operations));
}

void NoteGraphQl(const json::value& value, RequestBody& out) {
  const json::array* batch = value.if_array();
  if (batch == nullptr) {
    out.is_only_graphql = NoteRequest(value, out);
    return;
  }
  out.is_only_graphql = !batch->empty();
  for (const json::value& request : *batch) {
    const bool is_one = NoteRequest(request, out);
    out.is_only_graphql = out.is_only_graphql && is_one;
  }
}

}  // namespace falconer::policy
