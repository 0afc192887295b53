// Which figures are reported, against whom, and what they must reach. `best` is the peer that does best in this
// very run; Playwright MCP has rows of its own beside the aims because most agents have it today.

const kPlaywright = 'playwright-mcp';

// Of the samples of a figure the row has the one at `share`, the median if it does not say.
const kTable = [
  { part: 'form', row: 'form_context_sum', figure: 'contextSum', unit: 'tokens', aim: { of: 'value', atMost: 3000 } },
  { part: 'form', row: 'form_result_tokens', figure: 'resultTokens', unit: 'tokens' },
  { part: 'form', row: 'form_call_tokens', figure: 'callTokens', unit: 'tokens' },
  { part: 'form', row: 'form_calls', figure: 'calls', unit: 'calls' },
  { part: 'form', row: 'form_time', figure: 'form_ms', unit: 'ms' },
  { part: 'click', row: 'click_and_see', figure: 'click_ms', unit: 'ms', aim: { of: 'value', atMost: 6 } },
  { part: 'click', row: 'click_and_see_p95', figure: 'click_ms', unit: 'ms', share: 0.95 },
  { part: 'start', row: 'initialize', figure: 'initialize_ms', unit: 'ms', aim: { of: 'value', atMost: 10 } },
  { part: 'start', row: 'first_navigate', figure: 'first_navigate_ms', unit: 'ms', aim: { of: 'ratio', atMost: 0.5 } },
  { part: 'hold', row: 'tool_schemas', figure: 'schema_bytes', unit: 'bytes', aim: { of: 'value', atMost: 12_000 } },
  { part: 'hold', row: 'server_memory', figure: 'memory_mib', unit: 'MiB', aim: { of: 'value', atMost: 12 } },
  { part: 'click', row: 'server_memory_after_clicks', figure: 'memory_after_mib', unit: 'MiB' },
];

function bestOf(peers, measure) {
  const known = peers.map(name => ({ name, value: measure(name) })).filter(({ value }) => value !== undefined);
  return known.sort((a, b) => a.value - b.value)[0] ?? { name: 'best peer', value: undefined };
}

// The rows of the parts that were measured, for the subject against its peers.
export function makeRows(figures, { subject, peers, parts }) {
  const rows = [];
  for (const { row, figure, unit, aim, share = 0.5 } of kTable.filter(({ part }) => parts.includes(part))) {
    const measure = name => figures.percentile(name, figure, share);
    const best = bestOf(peers, measure);
    const value = measure(subject);
    rows.push({ name: row, value, unit, baseline: best, aim });
    if (!aim || best.name === kPlaywright) continue;
    const baseline = { name: kPlaywright, value: measure(kPlaywright) };
    rows.push({ name: `${row}_vs_playwright`, value, unit, baseline });
  }
  const missed = figures.missed.filter(text => text.startsWith(`${subject}:`)).length;
  return [...rows, { name: 'missed_effects', value: missed, unit: 'effects', aim: { of: 'value', atMost: 0 } }];
}
