// The numbers that the server tells are those of what it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHouse } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';

const { site, falconer } = await startHouse();
const ask = clientOf(() => falconer);

// By name and labels, as they are written.
async function metrics() {
  const { body } = await ask('GET', '/metrics', { role: 'viewer' });
  const lines = body.split('\n').filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

const navigate = (workflow) => ({ workflow_id: workflow, action_spec: { action_type: 'navigate', url: site.url('/form.html') } });

test('contracts, sessions, leases and records are counted', async () => {
  const before = await metrics();
  assert.equal(before.falconer_warm_pool_acquire_seconds_count, 0);
  assert.equal((await ask('POST', '/v1/actions', { body: navigate('counted') })).body.success, true);
  const now = await metrics();
  assert.equal(now['falconer_executor_requests_total{action="navigate",status="ok"}'], 1);
  assert.equal(now['falconer_executor_duration_seconds_count{action="navigate"}'], 1);
  assert.equal(now.falconer_executor_approvals_pending, 0);
  assert.equal(now.falconer_warm_pool_acquire_seconds_count, 1);
  const { warm, opened } = { warm: now['falconer_warm_pool_requests_total{result="warm"}'], opened: now['falconer_warm_pool_requests_total{result="opened"}'] };
  assert.equal(warm + opened, 1);
  assert.equal(now.falconer_leases_held, 1);
  assert.equal(now.falconer_leases_lost_total, 0);
  assert.ok(now.falconer_ledger_append_seconds_count >= before.falconer_ledger_append_seconds_count + 2);
  assert.ok(now.falconer_ledger_append_seconds_sum > 0);
  for (const queue of ['actions', 'sessions', 'ledger', 'store_write', 'store_read'])
    assert.equal(typeof now[`falconer_queue_depth{queue="${queue}"}`], 'number', queue);
  for (const lane of ['control', 'data', 'telemetry']) assert.equal(typeof now[`falconer_edge_queue_depth{lane="${lane}"}`], 'number', lane);
  assert.equal(now['falconer_drops_total{queue="events"}'], 0);
  assert.equal(now.falconer_shed_rate, 0);
});

test('calls that wait are seen, and a turn that is called off tells how long that took', async () => {
  await ask('POST', '/v1/actions', { body: navigate('cancelled') });
  const wait = (step) => ({
    workflow_id: 'cancelled',
    step_index: step,
    action_spec: { action_type: 'wait_only' },
    wait_conditions: [{ kind: 'selector', selector: '#never', state: 'visible' }],
    timeout: { wait_ms: 50000, total_ms: 60000 },
  });
  const send = async (step) => (await ask('POST', '/v1/actions', { body: wait(step), headers: { Prefer: 'respond-async' } })).body.job;
  const running = await send(1);
  const waiting = await send(2);
  const until = async (holds) => {
    for (;;) {
      const now = await metrics();
      if (holds(now)) return now;
    }
  };
  const busy = await until((now) => now.falconer_actions_running === 1 && now.falconer_actions_waiting === 1);
  assert.equal(busy['falconer_queue_depth{queue="actions"}'], 1);
  assert.equal(busy.falconer_cancel_latency_ms_count, 0);
  for (const job of [waiting, running]) await ask('DELETE', `/v1/jobs/${job}`);
  for (const job of [waiting, running]) {
    let told;
    do told = (await ask('GET', `/v1/jobs/${job}?wait_ms=10000`)).body;
    while (told.status === 'running');
    assert.equal(told.result.failure.code, 'CANCELLED');
  }
  const over = await metrics();
  assert.equal(over.falconer_cancel_latency_ms_count, 1, 'the one that ran');
  assert.ok(over.falconer_cancel_latency_ms_sum > 0);
  assert.equal(over['falconer_queue_depth{queue="actions"}'], 0);
});
