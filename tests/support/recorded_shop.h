#pragma once
// Recordings of purchases in the demo's shop, as they are told of real pages.

#include <string>
#include <vector>

#include "predict/workflows/recorded_step.h"

namespace falconer::test {

inline constexpr std::string_view kShop = "https://shop.example";

struct Purchase {
  std::string coffee = "Huila";
  std::string slug = "huila";
  std::string name = "Grace Hopper";
  std::string email = "grace@navy.example";
  std::string street = "Navy Road 7";
  std::string town = "22202 Arlington";
  std::string method = "Invoice, 14 days";
};

// Steps one after the other; where one led to is where the next one begins.
class ShopRecording {
 public:
  explicit ShopRecording(std::string id) {
    recording_.id = std::move(id), recording_.workflow = "buy-coffee";
  }

  ShopRecording& At(std::string_view path) {
    url_ = std::string(kShop) + std::string(path);
    return *this;
  }
  ShopRecording& Open(std::string_view path) {
    At(path);
    predict::RecordedStep step{.spec = {.type = model::ActionType::kNavigate}};
    step.spec.url = url_;
    step.url_before = recording_.steps.empty() ? "about:blank" : recording_.steps.back().url_after;
    step.url_after = url_;
    recording_.steps.push_back(std::move(step));
    return *this;
  }
  ShopRecording& Do(model::ActionType type, model::Fingerprint element) {
    predict::RecordedStep step{.spec = {.type = type}, .url_before = url_, .url_after = url_};
    if (!element.selectors.empty()) {
      step.spec.target.emplace();
      step.spec.target->selector = model::MakeNamedSelector(element.selectors.front()).value();
    }
    step.element = std::move(element);
    recording_.steps.push_back(std::move(step));
    return *this;
  }
  // Where the last step led.
  ShopRecording& To(std::string_view path) {
    At(path);
    recording_.steps.back().url_after = url_;
    return *this;
  }
  ShopRecording& Type(model::Fingerprint field, std::string text) {
    Do(model::ActionType::kClick, field);
    Do(model::ActionType::kType, std::move(field));
    recording_.steps.back().spec.text = model::TextInput{.value = std::move(text)};
    return *this;
  }
  ShopRecording& TypeSecret(model::Fingerprint field) {
    Type(std::move(field), "");
    recording_.steps.back().is_secret = true;
    return *this;
  }
  ShopRecording& Choose(model::Fingerprint list, std::string label) {
    Do(model::ActionType::kSelect, std::move(list));
    recording_.steps.back().spec.select_values = {{.label = std::move(label)}};
    return *this;
  }
  ShopRecording& Press(model::Fingerprint element, std::string key) {
    Do(model::ActionType::kPress, std::move(element));
    recording_.steps.back().spec.key = std::move(key);
    return *this;
  }
  predict::RecordedStep& last() { return recording_.steps.back(); }
  predict::Recording Take() { return recording_; }

 private:
  predict::Recording recording_;
  std::string url_ = std::string(kShop) + "/";
};

inline std::string InQuotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

inline model::Fingerprint ShopLink(const std::string& name, const std::string& path) {
  model::Fingerprint link{.role = "link", .name = name, .text = name, .tag = "a"};
  link.attributes = {{"href", path}};
  link.selectors = {"role=link[name=" + InQuotes(name) + "]", "css=a[href=" + InQuotes(path) + "]"};
  return link;
}

inline model::Fingerprint ShopButton(const std::string& name, const std::string& form) {
  model::Fingerprint button{
      .role = "button", .name = name, .text = name, .tag = "button", .type = "submit"};
  button.landmark = "form \"" + form + "\"";
  button.selectors = {"role=button[name=" + InQuotes(name) + "]", "text=" + InQuotes(name)};
  return button;
}

inline model::Fingerprint ShopField(const std::string& label, const std::string& id) {
  model::Fingerprint field{
      .role = "textbox", .name = label, .tag = "input", .type = "text", .label = label};
  field.attributes = {{"id", id}, {"name", id}};
  field.landmark = "form \"Order\"";
  field.selectors = {"role=textbox[name=" + InQuotes(label) + "]", "label=" + InQuotes(label),
                     "css=#" + id};
  return field;
}

inline model::Fingerprint ShopCoffee(const Purchase& wish) {
  model::Fingerprint link = ShopLink(wish.coffee, "/product/" + wish.slug);
  link.item = wish.coffee + " Colombia, washed \u20ac14.00";
  link.before = "Gear";
  return link;
}

inline void LogIn(ShopRecording& shop, std::string account) {
  shop.Open("/login").Type(ShopField("Account", "account"), std::move(account));
  model::Fingerprint password = ShopField("Password", "password");
  password.type = "password";
  shop.TypeSecret(password);
  shop.Do(model::ActionType::kClick, ShopButton("Log in", "Log in")).To("/");
}

inline void OrderWhatIsInTheCart(ShopRecording& shop, const Purchase& wish) {
  shop.Do(model::ActionType::kClick, ShopLink("Go to checkout", "/checkout")).To("/checkout");
  shop.Type(ShopField("Full name", "name"), wish.name);
  shop.Type(ShopField("E-mail", "email"), wish.email);
  shop.Type(ShopField("Street and number", "street"), wish.street);
  shop.Type(ShopField("Postcode and town", "town"), wish.town);
  model::Fingerprint list = ShopField("How to settle", "settle");
  list.role = "combobox";
  list.tag = "select";
  list.selectors = {"role=combobox[name=\"How to settle\"]", "css=#settle"};
  shop.Choose(list, wish.method);
  shop.Do(model::ActionType::kClick, ShopButton("Place order", "Order"));
  shop.last().url_after.clear();
}

// Logs in, picks the coffee by its link, and orders it.
inline predict::Recording BuyByLink(std::string id, const Purchase& wish) {
  ShopRecording shop(std::move(id));
  LogIn(shop, "ada");
  shop.Open("/");
  shop.Do(model::ActionType::kClick, ShopCoffee(wish)).To("/product/" + wish.slug);
  shop.Do(model::ActionType::kClick, ShopButton("Add to cart", "Add to cart")).To("/cart");
  OrderWhatIsInTheCart(shop, wish);
  return shop.Take();
}

inline std::vector<Purchase> Purchases() {
  return {{},
          {.coffee = "House blend",
           .slug = "house",
           .name = "Ada Lovelace",
           .email = "ada@engine.example",
           .street = "St James's Square 12",
           .town = "SW1Y London",
           .method = "By card"},
          {.coffee = "Nyeri AA",
           .slug = "nyeri",
           .name = "Mary Somerville",
           .email = "mary@sea.example",
           .street = "Burntisland 3",
           .town = "KY3 Fife",
           .method = "Cash"}};
}

}  // namespace falconer::test
