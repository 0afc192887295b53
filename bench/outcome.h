#pragma once
// Failure as a value for the benchmarks: a benchmark only ever prints its errors, so the error is
// the sentence to print. The macros return early from a function (BENCH_TRY) or a coroutine
// (BENCH_CO_TRY).

#include <expected>
#include <string>
#include <utility>

namespace falconer::bench {

template <typename T>
using Outcome = std::expected<T, std::string>;

inline std::unexpected<std::string> Fail(std::string why) {
  return std::unexpected<std::string>(std::move(why));
}

}  // namespace falconer::bench

#define BENCH_JOIN_(a, b) a##b
#define BENCH_NAME_(line) BENCH_JOIN_(outcome_, line)
#define BENCH_ASSIGN_(leave, decl, expr, name)               \
  auto name = (expr);                                        \
  if (!name) leave std::unexpected(std::move(name).error()); \
  decl = std::move(*name)

#define BENCH_TRY(expr) \
  if (auto tried_ = (expr); !tried_) return std::unexpected(std::move(tried_).error())
#define BENCH_TRY_ASSIGN(decl, expr) BENCH_ASSIGN_(return, decl, expr, BENCH_NAME_(__LINE__))
#define BENCH_CO_TRY(expr) \
  if (auto tried_ = (expr); !tried_) co_return std::unexpected(std::move(tried_).error())
#define BENCH_CO_TRY_ASSIGN(decl, expr) BENCH_ASSIGN_(co_return, decl, expr, BENCH_NAME_(__LINE__))
