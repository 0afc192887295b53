#include "policy/injection/injection_filter.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"
#include "policy/injection/injection_rules.h"
#include "policy/injection/text_folding.h"
#include "policy/injection/text_shown.h"

namespace falconer::policy {
namespace {

constexpr int kHiddenBonus = 40;
constexpr int kTrickBonus = 15;  // look-alikes, pulled-apart words, invisible characters
constexpr int kModelBonus = 15;  // the text names who it is for
// A text about such instructions quotes them; it is passed on with its flags.
constexpr int kMostForTalk = kQuarantineScore - 5;
constexpr int kEncodedWeight = 80;
constexpr int kTaggedWeight = 90;
constexpr std::size_t kLeastTagged = 8;
constexpr int kLeastInvisibles = 2;
constexpr int kLeastTalk = 2;
constexpr int kWidestRule = 24;  // words
constexpr std::size_t kMostHits = 200;
constexpr std::uint32_t kNeighbours = 2;  // sentences that count together
constexpr std::size_t kShortestEncoded = 24;
constexpr std::size_t kLongestEncoded = 8192;
constexpr int kMostEncoded = 32;

struct MeantWord {
  Meanings meanings = 0;
  int place = 0;  // counted in words
  std::uint32_t sentence = 0;
  bool is_command = false;  // begins its sentence
};

// The words that mean something, with where they stand.
class MeantWordReader {
 public:
  std::vector<MeantWord> Run(const FoldedText& text) {
    for (std::size_t i = 0; i < text.words.size(); ++i) {
      const FoldedWord& word = text.words[i];
      if (word.sentence != sentence_) Begin(word.sentence);
      if (word.is_run) {
        Run(word.text);
      } else if (IsIdeograph(word.text[0])) {
        i += Ideographs(text, i) - 1;
      } else {
        Add(MeaningsOf(word.text));
      }
    }
    return std::move(tokens_);
  }

 private:
  void Begin(std::uint32_t sentence) {
    sentence_ = sentence;
    opens_ = true;
  }
  void Add(Meanings meanings) {
    ++place_;
    if (meanings != 0) tokens_.push_back({meanings, place_, sentence_, opens_});
    // A command may begin with "please", "now" or "you must".
    const bool is_opening = (meanings & BitOf(Cue::kPolite)) != 0;
    opens_ = opens_ && is_opening;
  }
  void Run(std::u32string_view run) {
    while (!run.empty()) {
      Meanings meanings = 0;
      const std::size_t size = EntryAt(run, meanings);
      if (size > 0) Add(meanings);
      run.remove_prefix(std::max<std::size_t>(size, 1));
    }
  }
  // How many words one entry takes.
  std::size_t Ideographs(const FoldedText& text, std::size_t at) {
    std::u32string run;
    for (std::size_t i = at; i < text.words.size() && run.size() < 8; ++i) {
      const bool goes_on = text.words[i].text.size() == 1 && IsIdeograph(text.words[i].text[0]) &&
                           text.words[i].sentence == sentence_;
      if (!goes_on) break;
      run += text.words[i].text;
    }
    Meanings meanings = 0;
    const std::size_t size = EntryAt(run, meanings);
    Add(meanings);
    return std::max<std::size_t>(size, 1);
  }

  std::vector<MeantWord> tokens_;
  int place_ = 0;
  std::uint32_t sentence_ = 0;
  bool opens_ = true;
};

struct PhraseHit {
  std::string_view rule;
  int weight = 0;
  std::uint32_t sentence = 0;
};

// The nearest token with one of the meanings, other than those taken.
const MeantWord* NearestWith(std::span<const MeantWord> tokens, Meanings meanings,
                             const MeantWord& from, const InjectionRule& rule,
                             const MeantWord* also) {
  const MeantWord* best = nullptr;
  for (const MeantWord& token : tokens) {
    const bool is_taken = &token == &from || &token == also;
    if (is_taken || (token.meanings & meanings) == 0) continue;
    const int least = also == nullptr ? from.place : also->place;
    if (rule.order == RuleOrder::kAsWritten && token.place <= least) continue;
    const int distance = std::abs(token.place - from.place);
    if (distance >= rule.window) continue;
    if (best == nullptr || distance < std::abs(best->place - from.place)) best = &token;
  }
  return best;
}

// "Do not ignore", "no olvide": the opposite of the command.
bool IsNegated(const MeantWord& token, std::span<const MeantWord> sentence) {
  if ((token.meanings & BitOf(Cue::kIgnore)) == 0) return false;
  return std::ranges::any_of(sentence, [&](const MeantWord& other) {
    const int distance = token.place - other.place;
    return (other.meanings & BitOf(Cue::kNot)) != 0 && distance > 0 && distance <= 2;
  });
}

std::optional<PhraseHit> MatchAt(const InjectionRule& rule, std::span<const MeantWord> sentence,
                                 const MeantWord& first) {
  if (IsNegated(first, sentence)) return std::nullopt;
  const MeantWord* second = NearestWith(sentence, rule.needs[1], first, rule, nullptr);
  if (second == nullptr) return std::nullopt;
  const MeantWord* third = NearestWith(sentence, rule.needs[2], first, rule, second);
  if (third == nullptr) return std::nullopt;
  // In some languages the verb comes last: any word of the rule may begin the sentence.
  const Meanings all = rule.needs[0] | rule.needs[1] | rule.needs[2];
  const bool is_command = std::ranges::any_of(sentence, [&](const MeantWord& token) {
    return token.is_command && (token.meanings & all) != 0;
  });
  if (rule.start == RuleStart::kCommandOnly && !first.is_command) return std::nullopt;
  return PhraseHit{rule.name, rule.weight + (is_command ? rule.command_bonus : 0), first.sentence};
}

// The tokens of a sentence that any rule can reach from one of them.
std::span<const MeantWord> Within(std::span<const MeantWord> sentence, std::size_t at) {
  std::size_t begin = at;
  std::size_t end = at;
  const int place = sentence[at].place;
  while (begin > 0 && place - sentence[begin - 1].place < kWidestRule) --begin;
  while (end < sentence.size() && sentence[end].place - place < kWidestRule) ++end;
  return sentence.subspan(begin, end - begin);
}

// The best hit of each rule in each sentence. A text that is nothing but hits needs no more of
// them.
void MatchSentence(std::span<const MeantWord> sentence, std::vector<PhraseHit>& hits) {
  for (const InjectionRule& rule : AllInjectionRules()) {
    std::optional<PhraseHit> best;
    for (std::size_t i = 0; i < sentence.size() && hits.size() < kMostHits; ++i) {
      if ((sentence[i].meanings & rule.needs[0]) == 0) continue;
      const auto hit = MatchAt(rule, Within(sentence, i), sentence[i]);
      if (hit && (!best || hit->weight > best->weight)) best = hit;
    }
    if (best) hits.push_back(*best);
  }
}

// Whether an earlier row has the same name.
bool IsRepeated(const InjectionRule& rule) {
  for (const InjectionRule& other : AllInjectionRules()) {
    if (&other == &rule) return false;
    if (other.name == rule.name) return true;
  }
  return false;
}

bool Has(const MeantWord& token, Cue meaning) {
  return (token.meanings & BitOf(meaning)) != 0;
}

// How often sentences near this one say something.
int CountNear(std::span<const MeantWord> tokens, std::uint32_t sentence, Cue meaning) {
  return static_cast<int>(std::ranges::count_if(tokens, [&](const MeantWord& token) {
    const bool is_near =
        token.sentence + kNeighbours >= sentence && token.sentence <= sentence + kNeighbours;
    return is_near && Has(token, meaning);
  }));
}

std::string Rotated(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (IsLower(c)) c = static_cast<char>('a' + (c - 'a' + 13) % 26);
    if (IsUpper(c)) c = static_cast<char>('A' + (c - 'A' + 13) % 26);
  }
  return out;
}

// "ignore", "instruction", "disregard" and "prompt", rotated by 13.
bool MayBeRotated(std::string_view lower) {
  constexpr std::string_view kWords[] = {"vtaber", "vafgehpgvba", "qvfertneq", "cebzcg"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return lower.contains(word); });
}

bool IsBase64Char(char c) {
  return IsLetterOrDigit(c) || c == '+' || c == '/';
}

// What the runs of base64 in a text decode to, where that is text.
std::vector<std::string> DecodedRuns(std::string_view text) {
  std::vector<std::string> decoded;
  for (std::size_t at = 0; at < text.size() && std::ssize(decoded) < kMostEncoded;) {
    std::size_t end = at;
    while (end < text.size() && IsBase64Char(text[end])) ++end;
    const std::size_t size = end - at;
    if (size >= kShortestEncoded && size <= kLongestEncoded) {
      std::string run(text.substr(at, size - (size % 4 == 1 ? 1 : 0)));
      while (run.size() % 4 != 0) run += '=';
      auto bytes = DecodeBase64(run);
      if (bytes && IsValidUtf8(*bytes)) decoded.push_back(*std::move(bytes));
    }
    at = end + 1;
  }
  return decoded;
}

// One judgement on its way.
class Judgement {
 public:
  explicit Judgement(std::string_view text) : text_(text), folded_(FoldWords(text)) {
    tokens_ = MeantWordReader().Run(folded_);
  }

  InjectionVerdict Run(const model::TextVisibility& visibility) {
    verdict_.hidden_by = WhyNotSeen(visibility);
    FindRules();
    verdict_.score = BestWindow();
    Encodings();
    Weigh(visibility);
    Decide();
    return std::move(verdict_);
  }

 private:
  void FindRules() {
    for (std::size_t at = 0; at < tokens_.size();) {
      std::size_t end = at;
      while (end < tokens_.size() && tokens_[end].sentence == tokens_[at].sentence) ++end;
      MatchSentence(std::span(tokens_).subspan(at, end - at), hits_);
      at = end;
    }
    const std::string lower = ToLower(text_);
    for (const std::string_view mark : PromptMarks()) {
      if (lower.contains(mark)) {
        marks_ = kPromptMarkWeight;
        Note("prompt_marks");
      }
    }
    is_rotated_ = MayBeRotated(lower);
  }

  // Rules that hold close to each other count together, each once.
  int BestWindow() {
    int best = 0;
    for (const PhraseHit& from : hits_) {
      best = std::max(best, InContext(WeightFrom(from.sentence), from.sentence));
      Note(from.rule);
    }
    return best + marks_;
  }

  int WeightFrom(std::uint32_t sentence) const {
    int sum = 0;
    for (const InjectionRule& rule : AllInjectionRules()) {
      if (IsRepeated(rule)) continue;
      int heaviest = 0;
      for (const PhraseHit& hit : hits_) {
        const bool is_near = hit.sentence >= sentence && hit.sentence <= sentence + kNeighbours;
        if (is_near && hit.rule == rule.name) heaviest = std::max(heaviest, hit.weight);
      }
      sum += heaviest;
    }
    return sum;
  }

  int InContext(int weight, std::uint32_t sentence) const {
    if (CountNear(tokens_, sentence, Cue::kModel) > 0) weight += kModelBonus;
    const bool is_talk =
        verdict_.hidden_by.empty() && CountNear(tokens_, sentence, Cue::kTalk) >= kLeastTalk;
    return is_talk ? std::min(weight, kMostForTalk) : weight;
  }

  // Text that was made unreadable for people is judged as what it says.
  void Encodings() {
    if (folded_.tagged.size() >= kLeastTagged) Raise("tag_characters", kTaggedWeight);
    for (const std::string& decoded : DecodedRuns(text_)) {
      if (JudgePlain(decoded) >= kSuspiciousScore) Raise("encoded_instructions", kEncodedWeight);
    }
    if (is_rotated_ && JudgePlain(Rotated(text_)) >= kSuspiciousScore) {
      Raise("encoded_instructions", kEncodedWeight);
    }
  }

  static int JudgePlain(std::string_view text) {
    Judgement inner(text);
    inner.FindRules();
    return inner.BestWindow();
  }

  void Weigh(const model::TextVisibility& visibility) {
    const bool has_tricks = folded_.mixed_words > 0 || folded_.spaced_words > 0 ||
                            folded_.inner_invisibles >= kLeastInvisibles ||
                            folded_.bidi_controls >= kLeastInvisibles;
    if (has_tricks || !folded_.tagged.empty()) verdict_.flags.push_back("invisible_characters");
    if (verdict_.score <= 0) {
      verdict_.score = 0;
      return;
    }
    if (has_tricks) verdict_.score += kTrickBonus;
    // Only assistive technology skips it, and the models that read what that reads do not.
    if (visibility.is_aria_hidden) verdict_.score += kTrickBonus;
    const bool is_hidden = !verdict_.hidden_by.empty();
    if (is_hidden) verdict_.score += kHiddenBonus;
  }

  void Decide() {
    if (!verdict_.rules.empty()) verdict_.flags.push_back("prompt_injection_keywords");
    if (!verdict_.hidden_by.empty() && verdict_.score >= kSuspiciousScore) {
      verdict_.flags.push_back("hidden_text_suspected");
    }
    if (verdict_.score >= kQuarantineScore) {
      verdict_.decision = InjectionDecision::kQuarantine;
      verdict_.flags.push_back("quarantined");
    } else if (verdict_.score >= kSuspiciousScore) {
      verdict_.decision = InjectionDecision::kSuspicious;
    }
  }

  void Raise(std::string_view rule, int score) {
    Note(rule);
    verdict_.score = std::max(verdict_.score, score);
  }
  void Note(std::string_view rule) {
    if (std::ranges::find(verdict_.rules, rule) == verdict_.rules.end()) {
      verdict_.rules.push_back(rule);
    }
  }

  std::string_view text_;
  FoldedText folded_;
  std::vector<MeantWord> tokens_;
  std::vector<PhraseHit> hits_;
  int marks_ = 0;
  bool is_rotated_ = false;
  InjectionVerdict verdict_;
};

}  // namespace

json::object InjectionVerdict::ToJson() const {
  json::object out{{"decision", NameIn(kInjectionDecisions, decision)},
                   {"score", score},
                   {"rules", json::array(rules.begin(), rules.end())},
                   {"flags", json::array(flags.begin(), flags.end())}};
  if (!hidden_by.empty()) out["hidden_by"] = hidden_by;
  return out;
}

InjectionVerdict JudgeText(std::string_view text, const model::TextVisibility& visibility) {
  return Judgement(text).Run(visibility);
}

}  // namespace falconer::policy
