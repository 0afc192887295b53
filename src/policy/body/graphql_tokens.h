#pragma once
// GraphQlTokens: the tokens of a GraphQL document that tell its shape.

#include <string_view>

namespace falconer::policy {

class GraphQlTokens {
 public:
  static constexpr std::string_view kString = "\"";

  // The text must outlive this.
  explicit GraphQlTokens(std::string_view text) : rest_(text) {}

  // A name, a number, one of {}():@ or "..."; kString for a string; "" at the end. Comments and
  // what else is allowed are passed over.
  std::string_view Next();
  // Whether something was met that no document holds, or that servers may read in several ways.
  bool is_broken() const { return is_broken_; }

 private:
  std::string_view Take(std::size_t length);
  void SkipComment();
  void SkipString();
  void SkipBlockString();

  std::string_view rest_;
  bool is_broken_ = false;
};

}  // namespace falconer::policy
