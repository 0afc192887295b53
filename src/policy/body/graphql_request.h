#pragma once
// GraphQL requests in JSON: {"query": ..., "variables": ..., "operationName": ...}, or a list.

#include "base/json/json.h"
#include "policy/body/request_body.h"

namespace falconer::policy {

// Adds what the documents do and name, and whether the value holds nothing but such requests, each
// with its own document.
void NoteGraphQl(const json::value& value, RequestBody& out);

// The same of a document that came by itself. It leaves open what else the body holds.
void NoteGraphQlDocument(std::string_view document, RequestBody& out);

}  // namespace falconer::policy
