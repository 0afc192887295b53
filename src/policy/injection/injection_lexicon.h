#pragma once
// The words that instructions to a model are made of, in several languages, by what they mean.
// Rules (injection_rules.h) are written over meanings, so that one rule holds in every language.

#include <cstdint>
#include <string_view>

namespace falconer::policy {

// A set of meanings, one bit each: a word may have several.
using Meanings = std::uint32_t;

enum class Cue : std::uint8_t {
  kIgnore,       // ignore, disregard, forget
  kPrevious,     // previous, above, all
  kInstruction,  // instructions, prompt, rules
  kModel,        // AI, assistant, chatbot
  kReveal,       // reveal, print, repeat
  kSystem,       // system, initial, hidden
  kSend,         // send, upload, forward
  kSecret,       // password, credentials, cookies
  kNot,          // not, never, without
  kTell,         // tell, mention, inform
  kUser,         // user, human
  kNew,          // new, updated, real
  kYour,         // your
  kYou,          // you
  kAre,          // are
  kNow,          // now
  kAnswer,       // response, answer, reply
  kShape,        // add, include, replace: what is done to an answer
  kUnbound,      // unrestricted, jailbroken, DAN
  kFollow,       // follow, obey, execute
  kBelow,        // following, below, these
  kFor,          // for, to, attention
  kIf,           // if
  kTalk,         // example, attack, researchers: words of a text about such instructions
  kPolite,       // please, now, important: what may stand before a command
  kDestination,  // an address something could be sent to
};

constexpr Meanings BitOf(Cue meaning) {
  return Meanings{1} << static_cast<unsigned>(meaning);
}

// The meanings of a folded word (text_folding.h); 0 for most.
Meanings MeaningsOf(std::u32string_view word);

// The longest entry that begins the text, for scripts without spaces and words written together:
// how many characters it has, 0 for none.
std::size_t EntryAt(std::u32string_view text, Meanings& meanings);

}  // namespace falconer::policy
