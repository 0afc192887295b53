#include "policy/redaction/text_scanner.h"

#include <algorithm>

#include "base/base64.h"
#include "base/text.h"
#include "policy/redaction/entropy.h"
#include "policy/redaction/field_names.h"
#include "policy/redaction/key_prefixes.h"
#include "policy/redaction/mask.h"
#include "policy/redaction/number_detectors.h"
#include "policy/redaction/text_class.h"
#include "policy/redaction/text_value.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::size_t kLongestFieldName = 96;
constexpr std::size_t kShortestBearer = 8;
constexpr std::size_t kCertainBearer = 20;
constexpr std::size_t kShortestUserToken = 16;
constexpr std::size_t kShortestLooseValue = 6;
constexpr std::size_t kShortestJwtPart = 8;
constexpr std::size_t kShortestMixed = 8;
constexpr std::size_t kLongestTitle = 64;
constexpr std::size_t kLongestScheme = 20;
constexpr std::string_view kHeaderSchemes[] = {"bearer", "basic",     "digest",          "token",
                                               "apikey", "negotiate", "aws4-hmac-sha256"};
// What may stand between a name and its sign, where the host of an address ends, and what they
// choose who choose passwords.
constexpr ByteSet kNameGap(" \"'\\");
constexpr ByteSet kAuthorityEnd("/?# \t\r\n\"'<>\\");
constexpr ByteSet kAfterPadding(" \t\r\n\"'&,;)}]<");
constexpr ByteSet kChosen("0123456789!@#$%^*+?~");
constexpr std::string_view kKeyBlock = "-----BEGIN ";

bool IsNamePart(char c) {
  return IsKeyChar(c) || c == '.' || c == '[' || c == ']' || c == '%';
}

bool IsMailPart(char c) {
  return IsKeyChar(c) || c == '.' || c == '+' || c == '%' || c == '\'';
}

bool IsHostPart(char c) {
  return IsLetterOrDigit(c) || c == '-' || c == '.';
}

bool IsTokenPart(char c) {
  return (ByteClass(c) & (kWordBits | kTokenBit)) != 0;
}

// What stands for no value at all, or for one that is filled in later.
bool IsNoValue(std::string_view value) {
  constexpr std::string_view kNone[] = {"true", "false", "null", "undefined", "none", "yes", "no"};
  if (value.empty() || IsMasked(value)) return true;
  const bool is_later = value.starts_with("${") || value.starts_with("$(") ||
                        value.starts_with("{{") || (value.front() == '<' && value.back() == '>');
  if (is_later) return true;
  return std::ranges::find(kNone, ToLower(value)) != std::end(kNone);
}

// Where a value without quotes would be: "token == other", {"secret": [...]}.
bool OpensSomething(std::string_view value) {
  return !value.empty() && std::string_view("{[(=").contains(value.front());
}

// A value without quotes, apart from its name by a space: "Password: hunter2", but not "Password:
// required".
bool LooksChosen(std::string_view value) {
  if (value.size() < kShortestLooseValue) return false;
  return std::ranges::any_of(value, [](char c) { return kChosen.Has(c); });
}

class TextScanner {
 public:
  TextScanner(std::string_view text, Findings& out) : text_(text), out_(out) {}

  void Run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::uint8_t byte_class = ByteClass(text_[at]);
      if ((byte_class & kWordBits) != 0) {
        at = Word(at);
      } else if ((byte_class & kTriggerBit) != 0) {
        at = Mark(at);
      } else {
        ++at;
      }
    }
  }

 private:
  std::string_view From(std::size_t at) const { return text_.substr(at); }
  std::string_view Between(std::size_t from, std::size_t to) const {
    return text_.substr(from, to - from);
  }
  bool Is(std::size_t at, char c) const { return at < text_.size() && text_[at] == c; }

  // Where scanning goes on: behind the finding.
  std::size_t Found(std::size_t begin, std::size_t end, FindingKind kind) {
    out_.push_back({begin, end, kind});
    done_ = end;
    return end;
  }

  std::size_t Word(std::size_t at) {
    std::size_t end = at + 1;
    while (end < text_.size() && IsWordChar(text_[end])) ++end;
    if (end - at >= 2 && at + 2 < text_.size() && CanBeginWordFinding(at)) {
      if (const std::size_t next = MarkedWord(at, end); next != 0) return next;
    }
    if (IsDigit(text_[at])) {
      if (const std::size_t next = Number(at); next != 0) return next;
    }
    return end - at >= kShortestMixed && IsMixed(Between(at, end)) ? MixedWord(at, end) : end;
  }

  static bool IsMixed(std::string_view word) {
    constexpr std::uint8_t kMixed = kLowerBit | kUpperBit | kDigitBit;
    std::uint8_t bits = 0;
    for (const char c : word) bits |= ByteClass(c);
    return (bits & kMixed) == kMixed;
  }

  bool CanBeginWordFinding(std::size_t at) const {
    const char first = text_[at];
    const char second = text_[at + 1];
    const char third = text_[at + 2];
    if (keys_.MayHave(first, second, third)) return true;
    const bool is_scheme = LowerOf(first) == 'b' &&
                           ((second == 'e' && third == 'a') || (second == 'a' && third == 's'));
    if (is_scheme || (first == 'e' && second == 'y' && third == 'J')) return true;
    return IsUpper(first) && IsUpper(second) && at + 4 < text_.size() && IsDigit(text_[at + 2]) &&
           IsDigit(text_[at + 3]);
  }

  std::size_t MarkedWord(std::size_t at, std::size_t end) {
    const std::string_view word = Between(at, end);
    if (word.starts_with("eyJ")) return Jwt(at);
    if (word == "Bearer" || word == "bearer") return Bearer(end);
    if (word == "Basic" || word == "basic") return Basic(end);
    if (const std::size_t size = KeyLengthAt(From(at)); size != 0) {
      return Found(at, at + size, FindingKind::kApiKey);
    }
    if (const std::size_t size = IbanLengthAt(From(at)); size != 0) {
      return Found(at, at + size, FindingKind::kIban);
    }
    return 0;
  }

  // Three parts of base64url that points join (five when encrypted), the first an object.
  std::size_t Jwt(std::size_t at) {
    if (at < jwt_until_) return 0;
    std::size_t end = at;
    std::size_t parts = 0;
    while (parts < 5) {
      const std::size_t start = end;
      while (end < text_.size() && IsKeyChar(text_[end])) ++end;
      const bool is_part = end - start >= kShortestJwtPart || parts >= 2;
      if (!is_part) break;
      ++parts;
      if (!Is(end, '.') || end + 1 >= text_.size() || !IsKeyChar(text_[end + 1])) break;
      ++end;
    }
    jwt_until_ = end;
    return parts >= 2 ? Found(at, end, FindingKind::kJwt) : 0;
  }

  std::size_t TokenEnd(std::size_t at) const {
    while (at < text_.size() && (IsTokenPart(text_[at]) || text_[at] == '.' || text_[at] == '~')) {
      ++at;
    }
    while (at > 0 && text_[at - 1] == '.') --at;
    return at;
  }

  std::size_t Bearer(std::size_t end) {
    if (!Is(end, ' ')) return 0;
    const std::size_t stop = TokenEnd(end + 1);
    const std::string_view token = Between(end + 1, std::max(stop, end + 1));
    const bool is_token = token.size() >= kCertainBearer ||
                          (token.size() >= kShortestBearer && std::ranges::any_of(token, IsDigit));
    return is_token ? Found(end + 1, stop, FindingKind::kAuthorization) : 0;
  }

  // base64("user:password").
  std::size_t Basic(std::size_t end) {
    if (!Is(end, ' ')) return 0;
    const std::size_t stop = TokenEnd(end + 1);
    std::string token(Between(end + 1, std::max(stop, end + 1)));
    if (token.size() < 4) return 0;
    while (token.size() % 4 != 0) token += '=';
    const auto pair = DecodeBase64(token);
    const bool is_pair = pair && pair->contains(':');
    return is_pair ? Found(end + 1, stop, FindingKind::kAuthorization) : 0;
  }

  // A number may not be the end of something: "id-4111...", "v1.4111...".
  bool BeginsNumber(std::size_t at) const {
    if (at == 0) return true;
    const char before = text_[at - 1];
    if (before != '.' && before != '-') return !IsWordChar(before);
    return at == 1 || !IsLetterOrDigit(text_[at - 2]);
  }

  std::size_t Number(std::size_t at) {
    const std::string_view rest = From(at);
    if (!CanBeginNumber(rest) || at < done_ || !BeginsNumber(at)) return 0;
    if (const std::size_t size = CardLengthAt(rest); size != 0) {
      return Found(at, at + size, FindingKind::kCard);
    }
    if (const std::size_t size = SsnLengthAt(rest); size != 0) {
      return Found(at, at + size, FindingKind::kSsn);
    }
    if (const std::size_t size = PhoneLengthAt(rest); size != 0) {
      return Found(at, at + size, FindingKind::kPhone);
    }
    return TelegramToken(at);
  }

  // "123456789:" and 35 characters.
  std::size_t TelegramToken(std::size_t at) {
    std::size_t end = at;
    while (end < text_.size() && IsDigit(text_[end])) ++end;
    if (end - at < 8 || end - at > 10 || !Is(end, ':')) return 0;
    std::size_t stop = end + 1;
    while (stop < text_.size() && IsKeyChar(text_[stop])) ++stop;
    const bool is_token = stop - end - 1 == 35 && LooksRandom(Between(end + 1, stop));
    return is_token ? Found(at, stop, FindingKind::kApiKey) : 0;
  }

  // Parts of a path are names of things, however random they look.
  std::size_t MixedWord(std::size_t at, std::size_t word_end) {
    if (at < random_until_) return word_end;
    std::size_t begin = at;
    // A sign of equality ends a name.
    while (begin > done_ && IsTokenPart(text_[begin - 1]) && text_[begin - 1] != '=') --begin;
    std::size_t end = word_end;
    while (end < text_.size() && IsTokenPart(text_[end]) && text_[end] != '=') ++end;
    random_until_ = end;
    // "/d/1BxiMVs0XRA5" and "example.com/d/1BxiMVs0XRA5".
    const bool is_path = text_[begin] == '/' || (begin > 0 && text_[begin - 1] == '.' &&
                                                 Between(begin, end).contains('/'));
    if (is_path || !LooksRandom(Between(begin, end))) return word_end;
    return Found(begin, PaddingEnd(end), FindingKind::kHighEntropy);
  }

  // The padding of base64 belongs to it; a sign of equality in front of a value does not.
  std::size_t PaddingEnd(std::size_t at) const {
    std::size_t end = at;
    while (Is(end, '=')) ++end;
    const bool is_padding = end == text_.size() || kAfterPadding.Has(text_[end]);
    return is_padding ? end : at;
  }

  std::size_t Mark(std::size_t at) {
    switch (text_[at]) {
      case '@':
        return MailAddress(at);
      case ':':
        return Is(at + 1, '/') && Is(at + 2, '/') ? Url(at) : Assignment(at);
      case '=':
        return Assignment(at);
      case '-':
        return KeyBlock(at);
      default:
        return SignedPhone(at);
    }
  }

  std::size_t SignedPhone(std::size_t at) {
    const bool is_apart = at == 0 || !IsWordChar(text_[at - 1]);
    const std::size_t size = is_apart ? PhoneLengthAt(From(at)) : 0;
    return size != 0 ? Found(at, at + size, FindingKind::kPhone) : at + 1;
  }

  std::size_t KeyBlock(std::size_t at) {
    if (!Is(at + 1, '-') || !From(at).starts_with(kKeyBlock)) return at + 1;
    const std::size_t title = at + kKeyBlock.size();
    const std::size_t size = text_.substr(title, kLongestTitle).find("-----");
    if (size == kNowhere || !text_.substr(title, size).contains("PRIVATE KEY")) return title;
    const std::size_t head = title + size;
    // A block that was cut off is a key all the same.
    const std::size_t foot = text_.find("-----END ", head);
    const std::size_t end =
        foot == kNowhere ? kNowhere : text_.find("-----", foot + kKeyBlock.size());
    return Found(at, end == kNowhere ? text_.size() : end + 5, FindingKind::kPrivateKey);
  }

  std::size_t MailAddress(std::size_t at) {
    std::size_t begin = at;
    while (begin > done_ && IsMailPart(text_[begin - 1])) --begin;
    while (begin < at && !IsLetterOrDigit(text_[begin])) ++begin;
    std::size_t end = at + 1;
    while (end < text_.size() && IsHostPart(text_[end])) ++end;
    while (end > at + 1 && !IsLetterOrDigit(text_[end - 1])) --end;
    const std::string_view host = Between(at + 1, end);
    const std::size_t dot = host.rfind('.');
    const bool is_address = begin < at && dot != kNowhere && dot > 0 && host.size() - dot > 2 &&
                            std::ranges::all_of(host.substr(dot + 1), IsLetter);
    return is_address ? Found(begin, end, FindingKind::kEmail) : at + 1;
  }

  // The secret half of "user:password@", or a user who is a token.
  std::size_t Url(std::size_t at) {
    const std::size_t begin = at + 3;
    std::size_t end = begin;
    while (end < text_.size() && !kAuthorityEnd.Has(text_[end])) ++end;
    const std::size_t sign = Between(begin, end).rfind('@');
    if (sign == kNowhere) return begin;
    const std::string_view user = text_.substr(begin, sign);
    const std::size_t colon = user.find(':');
    const std::size_t first = colon == kNowhere ? begin : begin + colon + 1;
    const std::string_view secret = Between(first, begin + sign);
    const bool is_secret = colon != kNowhere || secret.size() >= kShortestUserToken;
    if (!is_secret || IsMasked(secret)) return begin + sign + 1;
    Found(first, begin + sign, FindingKind::kUrlPassword);
    return begin + sign + 1;
  }

  // The name in front of ":" or "=": a word, in quotes or not, with brackets and escapes.
  std::string_view NameBefore(std::size_t at) const {
    std::size_t end = at;
    for (int i = 0; i < 3 && end > 0 && kNameGap.Has(text_[end - 1]); ++i) --end;
    if (!CanEndFieldName(text_.substr(0, end))) return {};
    std::size_t begin = end;
    while (begin > 0 && end - begin < kLongestFieldName && IsNamePart(text_[begin - 1])) --begin;
    return Between(begin, end);
  }

  std::size_t Assignment(std::size_t at) {
    const std::string_view name = NameBefore(at);
    if (name.empty() || at < done_) return at + 1;
    const auto meaning = MeaningOfField(name);
    if (!meaning) return OAuthCode(at, name);
    const TextValue value = ValueAfter(text_, at);
    if (name == "secret" && IsReference(name, value)) return value.end;
    switch (meaning->kind) {
      case FindingKind::kAuthorization:
        return HeaderValue(at, value);
      case FindingKind::kCookie:
        return CookieValue(at, value);
      case FindingKind::kEmail:
      case FindingKind::kPhone:
      case FindingKind::kCard:
      case FindingKind::kIban:
      case FindingKind::kHealth:
      case FindingKind::kBirthDate:
        // In running text the value must look like one; its own detector says so.
        return at + 1;
      default:
        return FieldValue(at, value, *meaning);
    }
  }

  // {"secret":"NAME"} and {"secret":"NAME","field":"..."} name a secret and hold none.
  bool IsReference(std::string_view name, const TextValue& value) const {
    const auto begin = static_cast<std::size_t>(name.data() - text_.data());
    const bool opens = begin >= 2 && text_[begin - 1] == '"' && text_[begin - 2] == '{';
    const std::string_view rest = text_.substr(std::min(value.end + 1, text_.size()));
    return opens && value.is_quoted && (rest.starts_with('}') || rest.starts_with(",\"field\":\""));
  }

  // "Bearer abc": the scheme stays. Digests have parameters up to the end of the line, the others
  // one token.
  std::size_t HeaderValue(std::size_t at, const TextValue& value) {
    const std::string_view first = Between(value.begin, LooseEnd(text_, value.begin));
    const std::string scheme = ToLower(first.substr(0, kLongestScheme));
    const bool is_digest = scheme == "digest" || scheme == "aws4-hmac-sha256";
    const bool has_scheme = std::ranges::find(kHeaderSchemes, scheme) != std::end(kHeaderSchemes);
    const std::size_t begin = value.begin + (has_scheme ? first.size() + 1 : 0);
    const std::size_t rest = is_digest ? LineEnd(text_, begin) : LooseEnd(text_, begin);
    const std::size_t end = value.is_quoted ? value.end : rest;
    if (begin >= end) return at + 1;
    const std::string_view secret = Between(begin, end);
    // "Authorization: basic things first" is a sentence.
    const bool is_secret =
        value.is_quoted || LooksChosen(secret) || secret.size() >= kCertainBearer;
    if (!is_secret || IsNoValue(secret)) return at + 1;
    return Found(begin, end, FindingKind::kPassword);
  }

  std::size_t CookieValue(std::size_t at, const TextValue& value) {
    const std::size_t end = value.is_quoted ? value.end : LineEnd(text_, value.begin);
    const std::string_view content = Between(value.begin, end);
    const std::size_t equals = content.find('=');
    const bool is_cookie = equals != kNowhere && equals > 0 &&
                           !content.substr(0, equals).contains(' ') && !IsMasked(content);
    return is_cookie ? Found(value.begin, end, FindingKind::kCookie) : at + 1;
  }

  std::size_t FieldValue(std::size_t at, const TextValue& value, const FieldMeaning& meaning) {
    const std::string_view content = Between(value.begin, value.end);
    if (IsNoValue(content) || Is(value.end, '(')) return at + 1;
    if (!value.is_quoted && OpensSomething(content)) return at + 1;
    const bool is_number = std::ranges::all_of(content, IsDigit);
    if (is_number && !value.is_quoted && meaning.numbers == NumberRule::kStays) return at + 1;
    const bool is_assigned = value.is_quoted || (value.is_tight && text_[at] == '=');
    const bool is_code = meaning.kind == FindingKind::kSecurityCode ||
                         meaning.kind == FindingKind::kOneTimeCode ||
                         meaning.kind == FindingKind::kSsn;
    const bool is_secret = is_assigned || (is_code ? is_number : LooksChosen(content));
    return is_secret ? Found(value.begin, value.end, meaning.kind) : at + 1;
  }

  // "code" means many things; a long one in a link is what OAuth hands back.
  std::size_t OAuthCode(std::size_t at, std::string_view name) {
    const bool is_query = text_[at] == '=' && name == "code" && at > 4 &&
                          (text_[at - 5] == '?' || text_[at - 5] == '&');
    if (!is_query) return at + 1;
    const TextValue value = ValueAfter(text_, at);
    const bool is_code =
        value.end - value.begin >= kCertainBearer && !IsMasked(Between(value.begin, value.end));
    return is_code ? Found(value.begin, value.end, FindingKind::kToken) : at + 1;
  }

  std::string_view text_;
  Findings& out_;
  const TripleFilter& keys_ = KeyBeginnings();
  std::size_t done_ = 0;  // nothing before this is looked at again
  // Up to where a run was already judged: no byte is judged more than once.
  std::size_t random_until_ = 0;
  std::size_t jwt_until_ = 0;
};

}  // namespace

void ScanText(std::string_view text, Findings& out) {
  TextScanner(text, out).Run();
}

}  // namespace falconer::policy
