// What subscribers got, held against what there was to get.

// A turn says these, in this order, on the control lane.
export const kTurnSignals = ['turn_open_proposed', 'turn_open', 'commit', 'close'];

// From the events of each subscriber and the number of turns: how late control came, and what is missing. Every
// subscriber must have every number that anybody has, and all together four of each turn.
export function judgeControl(subscribers, turns) {
  const signals = subscribers.map(events => events.filter(({ name }) => kTurnSignals.includes(name)));
  const known = new Set(signals.flat().map(({ id }) => id));
  const expected = Math.max(known.size, turns * kTurnSignals.length);
  const lost = signals.reduce((sum, events) => sum + expected - new Set(events.map(({ id }) => id)).size, 0);
  const notices = subscribers.flat().filter(({ name }) => name === 'drop_notice');
  return {
    delays: signals.flat().map(({ at, happened }) => at - happened),
    delivered: signals.flat().length,
    lost,
    eventsDropped: notices.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    cutOff: subscribers.flat().filter(({ name }) => name === 'end').length,
  };
}
