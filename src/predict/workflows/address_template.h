#pragma once
// Addresses that were opened, as templates: what was typed in them is a parameter.

#include <functional>
#include <string>
#include <string_view>

#include "predict/workflows/recorded_texts.h"

namespace falconer::predict {

// The name of the parameter for a value in an address, told what the site calls it.
using NewParameter = std::function<std::string(std::string_view name, std::string_view value)>;

// The address with its path, what of it was typed before as {parameter}, and each value of its
// query as a parameter; without user, and without a fragment that names no place of a page. "" for
// what is no http address.
std::string OpenedAddress(std::string_view url, const RecordedTexts& texts,
                          const NewParameter& parameter);

// The address where a recording began, which nobody typed: values of its query that are plain words
// stay, others are left out.
std::string StartAddress(std::string_view url, const RecordedTexts& texts);

}  // namespace falconer::predict
