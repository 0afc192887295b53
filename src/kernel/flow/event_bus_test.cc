#include "kernel/flow/event_bus.h"

#include "base/async/fake_clock.h"
#include "base/async/task_scope.h"
#include "base/log.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"
#include "tests/support/turn_fakes.h"

namespace falconer::kernel {
namespace {

using model::Lane;
using model::SignalKind;

struct BusFixture {
  void Data(Lane lane = Lane::kData) { bus.Emit(stamper.Event("x", lane, {})); }
  void Control() {
    bus.Emit(stamper.SessionSignal(SignalKind::kConnected, model::Emitter::kLink, {}));
  }

  FakeClock clock;
  EventStamper stamper{SessionId("s"), "p1", clock};
  test::RecordingSink decisions;
  EventBus bus{clock, stamper, decisions};
};

std::string Word(const BusEventPtr& event) {
  if (!event) return "";
  const auto* signal = std::get_if<model::ControlSignal>(&*event);
  if (signal == nullptr) return std::string(NameIn(model::kLanes, HeaderOf(*event).lane));
  const auto valid = signal->Validate();
  EXPECT_TRUE(valid) << Describe(valid.error());
  return std::string(model::SignalName(signal->signal));
}

std::vector<std::string> ReadAll(BusSubscription& reader) {
  std::vector<std::string> words;
  while (const BusEventPtr event = reader.TryNext()) words.push_back(Word(event));
  return words;
}

TEST(EventBusTest, EverybodyHearsEverythingOnce) {
  BusFixture f;
  BusSubscription a = f.bus.Subscribe("a");
  BusSubscription b = f.bus.Subscribe("b");
  f.Data();
  f.Control();

  EXPECT_EQ(ReadAll(a), (std::vector<std::string>{"connected", "data"}));
  EXPECT_EQ(ReadAll(b), (std::vector<std::string>{"connected", "data"}));
  EXPECT_TRUE(ReadAll(a).empty());
}

TEST(EventBusTest, ASlowListenerLosesItsOwnEventsOnly) {
  BusFixture f;
  BusSubscription slow = f.bus.Subscribe("slow", {.data = 4, .telemetry = 4});
  BusSubscription quick = f.bus.Subscribe("quick");
  std::size_t read = 0;
  for (int i = 0; i < 100; ++i) {
    f.Data();
    f.Data(Lane::kTelemetry);
    read += ReadAll(quick).size();
  }
  EXPECT_EQ(read, 200U);
  EXPECT_EQ(f.bus.stats().shed, 96U);
  EXPECT_EQ(f.decisions.decisions.size(), 96U);
  const model::DecisionOutcome& shed = f.decisions.decisions.front();
  EXPECT_TRUE(shed.Validate());
  EXPECT_EQ(shed.reason, "lane_queue_capacity_exceeded");
  EXPECT_EQ(ReadAll(slow),
            (std::vector<std::string>{"watermark", "flow_xoff", "data", "data", "data", "flow_xon",
                                      "data", "drop_notice", "drop_notice", "telemetry",
                                      "telemetry", "telemetry", "telemetry"}));
}

TEST(EventBusTest, CountsWhatWasLostAndWhatIsYetToBeRead) {
  BusFixture f;
  BusSubscription slow = f.bus.Subscribe("slow", {.data = 4, .telemetry = 4});
  for (int i = 0; i < 6; ++i) {
    f.Data();
    f.Data(Lane::kTelemetry);
  }
  EXPECT_EQ(f.bus.stats().shed, 2U);
  EXPECT_EQ(f.bus.stats().lost, 2U);
  EXPECT_EQ(f.bus.depth(Lane::kData), 4U);
  EXPECT_EQ(f.bus.depth(Lane::kTelemetry), 4U);
  ReadAll(slow);
  EXPECT_EQ(f.bus.depth(Lane::kData), 0U);
}

TEST(EventBusTest, TheNumbersOfTheSessionDoNotDependOnWhoListens) {
  BusFixture f;
  const BusSubscription slow = f.bus.Subscribe("slow", {.data = 2});
  for (int i = 0; i < 20; ++i) f.Data();

  EXPECT_EQ(f.stamper.last_sequence(), 20);
  ASSERT_FALSE(f.decisions.decisions.empty());
  EXPECT_TRUE(f.decisions.decisions[0].event_id.starts_with("evt/s/edge:slow/"));
}

TEST(EventBusTest, AListenerThatCannotKeepUpWithControlIsCutOff) {
  BusFixture f;
  BusSubscription stuck = f.bus.Subscribe("stuck", {.control = 2, .control_reserve = 2});
  SetLogSink([](std::string_view) {});
  for (int i = 0; i < 10; ++i) f.Control();
  SetLogSink({});

  EXPECT_TRUE(stuck.is_cut_off());
  EXPECT_EQ(f.bus.stats().cut_off, 1U);
  EXPECT_EQ(ReadAll(stuck).size(), 4U) << "what it had is still whole";
}

TEST(EventBusTest, RefusesWhatIsNotValid) {
  BusFixture f;
  BusSubscription reader = f.bus.Subscribe("reader");
  SetLogSink([](std::string_view) {});
  f.bus.Emit(model::EventRecord());
  f.bus.Emit(f.stamper.SessionSignal(SignalKind::kAbort, model::Emitter::kTurn, {}));
  SetLogSink({});

  EXPECT_EQ(f.bus.stats().refused, 2U);
  EXPECT_TRUE(ReadAll(reader).empty());
}

TEST(EventBusTest, WhoLetsGoIsForgotten) {
  BusFixture f;
  {
    const BusSubscription reader = f.bus.Subscribe("reader");
    EXPECT_EQ(f.bus.listeners(), 1U);
  }
  EXPECT_EQ(f.bus.listeners(), 0U);
  f.Data();
}

Task<void> ReadInto(BusSubscription* reader, CallContext ctx, std::vector<std::string>* log) {
  while (true) {
    const auto event = co_await reader->Next(ctx);
    log->push_back(event ? Word(*event) : std::string(event.error().name()));
    if (!event) co_return;
  }
}

CO_TEST(EventBusTest, AReaderSleepsUntilSomethingHappens) {
  FakeClock clock;
  EventStamper stamper(SessionId("s"), "p1", clock);
  test::RecordingSink decisions;
  auto bus = std::make_unique<EventBus>(clock, stamper, decisions);
  BusSubscription reader = bus->Subscribe("reader");
  TaskScope tasks(ctx.executor());
  std::vector<std::string> log;
  tasks.Spawn("read", ReadInto(&reader, ctx, &log));
  co_await test::Settle();
  EXPECT_TRUE(log.empty());

  bus->Emit(stamper.Event("x", Lane::kData, {}));
  co_await test::Settle();
  EXPECT_EQ(log, std::vector<std::string>{"data"});
  bus.reset();
  co_await tasks.Join();
  EXPECT_EQ(log, (std::vector<std::string>{"data", "SESSION_CLOSED"}));
}

}  // namespace
}  // namespace falconer::kernel
