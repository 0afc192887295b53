#include "policy/rules/fact_view.h"

#include <utility>
#include <variant>

#include "model/text.h"
#include "model/url.h"
#include "policy/rules/fold_text.h"

namespace falconer::policy {
namespace {

struct SchemePort {
  std::string_view scheme;
  std::uint16_t port;
};

constexpr SchemePort kSchemePorts[] = {{"https", 443}, {"http", 80}, {"wss", 443}, {"ws", 80}};

std::uint16_t DefaultPortOf(std::string_view scheme) {
  for (const SchemePort& row : kSchemePorts) {
    if (row.scheme == scheme) return row.port;
  }
  return 0;
}

int HexValue(char c) {
  if (model::IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The path with the escapes taken away that need not be there (RFC 3986, 6.2.2.2): "/%61dmin" and
// "/admin" are the same to every server, "/a%2Fb" and "/a/b" are not.
std::string PlainPath(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool is_escape = path[i] == '%' && i + 2 < path.size();
    const int high = is_escape ? HexValue(path[i + 1]) : -1;
    const int low = is_escape ? HexValue(path[i + 2]) : -1;
    const char plain = high < 0 || low < 0 ? '%' : static_cast<char>(high * 16 + low);
    const bool is_needless = model::IsLetter(plain) || model::IsDigit(plain) || plain == '-' ||
                             plain == '.' || plain == '_' || plain == '~';
    out += is_escape && is_needless ? plain : path[i];
    if (is_escape && is_needless) i += 2;
  }
  return out;
}

// Where a fact stands.
struct RequestPathPlace {};
using TextPlace = std::variant<std::string model::PolicyFacts::*,
                               std::string model::ElementFacts::*, std::string model::FormFacts::*,
                               std::string model::RequestFacts::*, RequestPathPlace>;

// In the order of TextFact.
constexpr TextPlace kTextPlaces[] = {
    &model::PolicyFacts::tenant,
    &model::PolicyFacts::agent,
    &model::PolicyFacts::agent_tier,
    &model::ElementFacts::role,
    &model::ElementFacts::name,
    &model::ElementFacts::label,
    &model::ElementFacts::tag,
    &model::ElementFacts::type,
    &model::ElementFacts::identifier,
    &model::ElementFacts::href,
    &model::FormFacts::action,
    &model::FormFacts::method,
    &model::FormFacts::name,
    &model::RequestFacts::method,
    RequestPathPlace(),
    &model::RequestFacts::content_type,
    &model::RequestFacts::resource_type,
};
static_assert(std::size(kTextPlaces) == kTextFactCount);

struct TextPlaceReader {
  const model::PolicyFacts& facts;
  std::optional<std::string>& path;  // of the request, once it is known

  using Text = std::optional<std::string_view>;

  template <typename Owner>
  static Text In(const std::optional<Owner>& owner, std::string Owner::* member) {
    return owner ? Text((*owner).*member) : std::nullopt;
  }

  Text operator()(std::string model::PolicyFacts::* member) const { return facts.*member; }
  Text operator()(std::string model::ElementFacts::* member) const {
    return In(facts.element, member);
  }
  Text operator()(std::string model::FormFacts::* member) const {
    return facts.element ? In(facts.element->form, member) : std::nullopt;
  }
  Text operator()(std::string model::RequestFacts::* member) const {
    return In(facts.request, member);
  }
  Text operator()(RequestPathPlace) const {
    if (!facts.request) return std::nullopt;
    if (!path) path = PlainPath(model::SplitUrl(facts.request->url).path);
    return *path;
  }
};

HostView ReadHost(std::string_view url) {
  const model::UrlParts parts = model::SplitUrl(url);
  const std::uint16_t default_port = DefaultPortOf(parts.scheme);
  if (default_port == 0) return {};
  Result<Host> host = ParseHost(parts.host);
  const std::optional<std::uint16_t> port =
      parts.port.empty() ? default_port : ParsePort(parts.port);
  if (!host || !port) return {.state = HostView::State::kUnreadable};
  return {.state = HostView::State::kKnown, .host = *std::move(host), .port = *port};
}

}  // namespace

FactView::FactView(const model::PolicyFacts& facts, const std::vector<TimeZone>& zones)
    : facts_(facts), zones_(zones), times_(zones.size()) {
}

std::string_view FactView::UrlOf(HostFact fact) const {
  switch (fact) {
    case HostFact::kDomain:
      return facts_.url;
    case HostFact::kFromDomain:
      return facts_.page_url;
    case HostFact::kRequestHost:
      return facts_.request ? std::string_view(facts_.request->url) : std::string_view();
  }
  std::unreachable();
}

const HostView& FactView::HostOf(HostFact fact) {
  auto& view = hosts_[std::to_underlying(fact)];
  if (!view) view = ReadHost(UrlOf(fact));
  return *view;
}

std::optional<std::string_view> FactView::RawText(TextFact fact) {
  return std::visit(TextPlaceReader{facts_, path_}, kTextPlaces[std::to_underlying(fact)]);
}

std::optional<std::string_view> FactView::TextOf(TextFact fact) {
  if (RowOf(fact).form == TextForm::kExact) return RawText(fact);
  auto& folded = folded_[std::to_underlying(fact)];
  if (folded) return *folded;
  const std::optional<std::string_view> raw = RawText(fact);
  if (!raw) return std::nullopt;
  folded = FoldText(*raw);
  return *folded;
}

LocalTime FactView::TimeIn(std::size_t zone) {
  std::optional<LocalTime>& time = times_[zone];
  if (!time) time = zones_[zone].At(facts_.now);
  return *time;
}

bool FactView::lacks_amount() const {
  return !facts_.amount && facts_.capabilities.Contains(model::Capability::kPurchase);
}

}  // namespace falconer::policy
