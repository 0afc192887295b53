#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "bench/measure.h"

namespace falconer::bench {
namespace {

constexpr std::size_t kWarmUps = 3;
constexpr std::size_t kMain = 0;  // the session that every operation but session_create uses

// One operation about to be done on the page that was loaded for its figure.
struct Step {
  const Site& site;
  const Visit& loaded;
  std::string nonce;
  int index = 0;
};

struct Figure {
  std::string_view name;
  Visit (Site::*page)(std::string_view) const;
  std::size_t divisor;  // large pages take a fraction of the samples
  Outcome<Measured> (*measure)(Contestant& contestant, const Step& step);
};

Outcome<Measured> OpenAndClose(Contestant& contestant, const Step&) {
  BENCH_TRY_ASSIGN(auto measured, contestant.OpenSession());
  BENCH_TRY(contestant.CloseSession());
  return measured;
}

Outcome<Measured> Navigate(Contestant& contestant, const Step& step) {
  return contestant.Navigate(kMain, step.site.Form(step.nonce));
}

Outcome<Measured> Click(Contestant& contestant, const Step&) {
  return contestant.Click(kMain);
}

Outcome<Measured> Fill(Contestant& contestant, const Step& step) {
  return contestant.Fill(kMain, FieldName(step.index), "text " + step.nonce);
}

Outcome<Measured> ReadState(Contestant& contestant, const Step& step) {
  return contestant.ReadState(kMain, step.loaded.marks);
}

Outcome<Measured> ReadDelta(Contestant& contestant, const Step& step) {
  return contestant.ReadDelta(kMain, "Changed " + step.nonce);
}

Outcome<Measured> Screenshot(Contestant& contestant, const Step&) {
  return contestant.Screenshot(kMain);
}

constexpr Figure kFigures[] = {
    {"session_create", &Site::Form, 1, OpenAndClose},
    {"navigate", &Site::Form, 1, Navigate},
    {"click", &Site::Form, 1, Click},
    {"fill", &Site::Form, 1, Fill},
    {"state_form", &Site::Form, 1, ReadState},
    {"state_table", &Site::Table, 5, ReadState},
    {"state_app", &Site::App, 2, ReadState},
    {"delta_table", &Site::Table, 5, ReadDelta},
    {"screenshot", &Site::Form, 2, Screenshot},
};

// One contestant's way through one figure.
struct Lane {
  Contestant* contestant;
  Visit loaded;
  Samples samples;
  int index = 0;
};

Outcome<Measured> DoOne(Arena& arena, const Figure& figure, Lane& lane) {
  const Step step{arena.site, lane.loaded, arena.NextNonce(), lane.index++};
  return figure.measure(*lane.contestant, step);
}

// Loads the page and does the first operations unmeasured. The state of the page must have been
// read once before a difference can be.
Outcome<void> Prepare(Arena& arena, const Figure& figure, Lane& lane) {
  lane.loaded = (arena.site.*figure.page)(arena.NextNonce());
  BENCH_TRY(lane.contestant->Navigate(kMain, lane.loaded));
  BENCH_TRY(lane.contestant->ReadState(kMain, lane.loaded.marks));
  for (std::size_t i = 0; i < kWarmUps; ++i) BENCH_TRY(DoOne(arena, figure, lane));
  return {};
}

void RunBlock(Arena& arena, const Figure& figure, Lane& lane, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    auto measured = DoOne(arena, figure, lane);
    if (measured) {
      lane.samples.Add(measured->took, measured->bytes);
    } else {
      lane.samples.Miss(std::move(measured).error());
    }
  }
}

void MeasureFigure(Arena& arena, const Figure& figure, std::vector<Contestant*>& running) {
  std::cerr << "measuring " << figure.name << "\n";
  std::vector<Lane> lanes;
  for (Contestant* contestant : running) {
    Lane lane{contestant, {}, {}};
    if (auto ready = Prepare(arena, figure, lane); !ready) {
      arena.results.Trouble(figure.name, contestant->name(), ready.error());
    } else {
      lanes.push_back(std::move(lane));
    }
  }
  const std::size_t total = std::max<std::size_t>(1, arena.settings.samples / figure.divisor);
  for (std::size_t done = 0; done < total; done += arena.settings.block) {
    const auto count = std::min(arena.settings.block, total - done);
    for (Lane& lane : lanes) RunBlock(arena, figure, lane, count);
  }
  for (const Lane& lane : lanes) {
    arena.results.SetSamples(figure.name, lane.contestant->name(), lane.samples);
  }
}

}  // namespace

std::string Arena::NextNonce() {
  return fmt::format("n{:06}", nonces++);
}

std::vector<std::string> LatencyFigures() {
  std::vector<std::string> names;
  for (const Figure& figure : kFigures) names.emplace_back(figure.name);
  return names;
}

void MeasureLatency(Arena& arena) {
  const auto is_wanted = [&](const Figure& figure) { return arena.settings.Wants(figure.name); };
  if (std::ranges::none_of(kFigures, is_wanted)) return;
  std::vector<Contestant*> running;
  for (auto& contestant : arena.contestants) {
    auto launched = contestant->Launch(arena.site.Form(arena.NextNonce()));
    if (launched) {
      running.push_back(contestant.get());
    } else {
      arena.results.Trouble("latency", contestant->name(), launched.error());
    }
  }
  for (const Figure& figure : kFigures) {
    if (is_wanted(figure)) MeasureFigure(arena, figure, running);
  }
  for (auto& contestant : arena.contestants) contestant->Shut();
}

}  // namespace falconer::bench
