#include "policy/rules/fact_view.h"

#include <utility>
#include <variant>

#include "base/percent.h"
#include "base/text.h"
#include "model/default_port.h"
#include "model/url.h"
#include "policy/rules/fold_text.h"
#include "policy/web_place.h"

namespace falconer::policy {
namespace {

// The path with the escapes taken away that need not be there (RFC 3986, 6.2.2.2): "/%61dmin" and
// "/admin" are the same to every server, "/a%2Fb" and "/a/b" are not. Of several slashes in a row
// most servers see one.
std::string PlainPath(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '/' && out.ends_with('/')) continue;
    const char plain = static_cast<char>(LeadingEscape(path.substr(i)).value_or('%'));
    const bool is_needless = IsLetterOrDigit(plain) || std::string_view("-._~").contains(plain);
    out += is_needless ? plain : path[i];
    if (is_needless) i += 2;
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
  if (model::DefaultPort(model::SplitUrl(url).scheme) == 0) return {};
  std::optional<WebPlace> place = WebPlaceOf(url);
  if (!place) return {.state = HostView::State::kUnreadable};
  return {.state = HostView::State::kKnown, .host = std::move(place->host), .port = place->port};
}

}  // namespace

FactView::FactView(const model::PolicyFacts& facts, const std::vector<TimeZone>& zones)
    : facts_(facts), zones_(zones), place_(facts.url), times_(zones.size()) {
}

std::vector<std::string_view> FactView::PlacesOf(const model::PolicyFacts& facts) {
  std::vector<std::string_view> places = {facts.url};
  if (!facts.element || facts.element->frame_url.empty()) return places;
  if (facts.element->frame_url != facts.url) places.emplace_back(facts.element->frame_url);
  return places;
}

void FactView::set_place(std::string_view url) {
  place_ = url;
  hosts_[std::to_underlying(HostFact::kDomain)].reset();
}

std::string_view FactView::UrlOf(HostFact fact) const {
  switch (fact) {
    case HostFact::kDomain:
      return place_;
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
