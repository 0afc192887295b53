// Which figures are reported, of whom, against whom, and what they must reach.

import { formatGrid } from '../common/report.mjs';

const kHttp = 'falconer serve';
const kStdio = 'falconer mcp';
const atMost = value => ({ of: 'value', atMost: value });

// One of a part's figures: of whom, against whom if against anybody, at which share of the samples.
function row(name, figure, unit, { of, against, share = 0.5, aim }) {
  return { name, figure, unit, of, against, share, aim };
}

const kCall = { of: kHttp, against: kStdio };
const kCrowd = { of: 'crowd' };
const kDelay = { of: 'crowd', against: 'one listener' };
const kMany = { of: 'many viewers', against: '1 viewer' };
const kOne = { of: 'falconer' };

const kTable = {
  call: [
    row('call_over_turn', 'click_over_turn_ms', 'ms', { ...kCall, aim: atMost(1) }),
    row('call_over_driver', 'click_over_driver_ms', 'ms', { ...kCall, aim: atMost(1) }),
    row('read_over_turn', 'read_over_turn_ms', 'ms', { ...kCall, aim: atMost(1) }),
    row('read_over_driver', 'read_over_driver_ms', 'ms', { ...kCall, aim: atMost(1) }),
    row('call_over_turn_p95', 'click_over_turn_ms', 'ms', { ...kCall, share: 0.95 }),
    row('ping', 'ping_ms', 'ms', kCall),
  ],
  crowd: [
    row('control_delay_p99', 'control_delay_ms', 'ms', { ...kDelay, share: 0.99, aim: atMost(20) }),
    row('control_delay_p50', 'control_delay_ms', 'ms', kDelay),
    row('crowd_alone_p99', 'control_delay_ms', 'ms', { of: 'bare server', share: 0.99 }),
    row('control_events', 'control_delivered', 'events', kCrowd),
    row('control_events_lost', 'control_lost', 'events', { ...kCrowd, aim: atMost(0) }),
    row('other_events_dropped', 'events_dropped', 'events', kCrowd),
    row('frames_sent', 'frames_sent', 'frames', kCrowd),
    row('frames_dropped', 'frames_dropped', 'frames', kCrowd),
  ],
  copies: [
    row('frame_cpu', 'frame_cpu_us', 'us', { ...kMany, aim: { of: 'ratio', atMost: 0.2 } }),
    row('frames_made', 'frames_made_per_second', '1/s', kMany),
    row('copies_per_frame', 'copies_per_frame', 'copies', kMany),
    row('copies_differing', 'copies_differing', 'copies', { of: 'many viewers', aim: atMost(0) }),
    row('watched_memory', 'watched_memory_mib', 'MiB', kMany),
  ],
  picture: [
    row('picture_delay_p95', 'picture_delay_ms', 'ms', { ...kOne, share: 0.95, aim: atMost(500) }),
    row('picture_delay_p50', 'picture_delay_ms', 'ms', kOne),
    row('picture_delay_worst', 'picture_delay_ms', 'ms', { ...kOne, share: 1 }),
  ],
  memory: [
    row('idle_memory', 'idle_mib', 'MiB', { ...kOne, aim: atMost(20) }),
    row('session_memory', 'session_mib', 'MiB', kOne),
  ],
};

// The rows of the parts that were measured.
export function makeRows(figures, { parts }) {
  const rows = parts.flatMap(part => kTable[part]).map(({ name, figure, unit, of, against, share, aim }) => {
    const measure = whom => figures.percentile(whom, figure, share);
    const baseline = against === undefined ? undefined : { name: against, value: measure(against) };
    return { name, value: measure(of), unit, baseline, aim };
  });
  return [...rows, { name: 'missed_effects', value: figures.missed.length, unit: 'effects', aim: atMost(0) }];
}

const kParts = [['whole', '_ms'], ['turn', '_turn_ms'], ['driver', '_driver_ms'], ['admission', '_admission_ms'],
  ['seal', '_seal_ms'], ['over turn', '_over_turn_ms'], ['over driver', '_over_driver_ms']];

// Where the time of a call goes, medians in milliseconds.
export function overview(figures) {
  const cell = value => value === undefined ? '-' : value.toFixed(3);
  const lines = ['click', 'read'].flatMap(kind => [kHttp, kStdio].map(name =>
      [`${kind}, ${name}`, ...kParts.map(([, suffix]) => cell(figures.median(name, kind + suffix)))]));
  return formatGrid([['milliseconds', ...kParts.map(([title]) => title)], ...lines]);
}
