#pragma once
// A text in the hands of the person at the terminal: in the editor of $VISUAL or $EDITOR.

#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::app {

// What the person made of the text. Blocks until the editor has ended. `command` is words as a
// shell takes them; the file's name is put behind. kExecutionError when it cannot be run or says
// that it failed; kIoError.
Result<std::string> EditText(std::string_view text, std::string_view command,
                             std::string_view file_name);

// $VISUAL, $EDITOR, or vi.
std::string EditorCommand();

}  // namespace falconer::app
