#pragma once
// Values of a workflow's parameters, as words of a command line give them. What is private comes
// from a file or from standard input: words of a command line are seen by every user of a machine.

#include <functional>
#include <string>
#include <vector>

#include "predict/workflows/learned_workflow.h"

namespace falconer::app {

// "name=value"; "name=@FILE" is what the file says and "name=-" what standard input does, without a
// line end behind it; "name=@@x" is "@x". kInvalidArgument for a word that is none of it, a name
// that comes twice and a second "-", naming the parameter and never the value; fails as reading
// does.
Result<predict::ParameterValues> GivenValues(const std::vector<std::string>& words,
                                             const std::function<Result<std::string>()>& input);
// The same with the standard input of this process.
Result<predict::ParameterValues> GivenValues(const std::vector<std::string>& words);

}  // namespace falconer::app
