#pragma once
// The schemas of bodies that no other room describes, by their names in the document.

#include "base/json/json.h"

namespace falconer::api {

json::object BodySchemas();

}  // namespace falconer::api
