// What operators see and change of those who decide: policy, limits, tokens.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newFolder, startServer, startSite } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';

const policy = (rule) => `policy: {name: shop, version: "1"}
rules:
  - {name: anything, when: always, then: allow}
  - {name: not at the bank, when: {domain: bank.test}, then: {deny: ${rule}}}
`;

let site;
let home;
let rules;
let falconer;
const ask = clientOf(() => falconer);
const policyFile = () => join(rules.folder, 'policy.yaml');

before(async () => {
  site = await startSite();
  home = newFolder();
  rules = newFolder();
  writeFileSync(policyFile(), policy('never there'));
  falconer = await startServer(home.folder, `policy.file=${policyFile()}`);
});
after(async () => {
  site.stop();
  assert.equal(await falconer.stop(), 0);
  home.remove();
  rules.remove();
});

const problem = (answer, status, code) => {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.match(answer.type, /^application\/problem\+json/);
  assert.equal(answer.body.code, code);
};
const tokenRecords = async () => (await ask('GET', '/v1/ledger/records?kind=token&limit=500')).body.records;

test('the policy in force is told, with its source and its rules', async () => {
  const { status, body } = await ask('GET', '/v1/policy', { role: 'viewer' });
  assert.equal(status, 200);
  assert.equal(body.policy.name, 'shop');
  assert.equal(body.policy.mode, 'enforce');
  assert.match(body.policy.digest, /^[0-9a-f]{64}$/);
  assert.equal(body.policy.file, policyFile());
  assert.ok(Date.parse(body.policy.since) <= Date.now());
  assert.ok(JSON.stringify(body.policy.document).includes('not at the bank'));
  assert.equal(body.last_refused, null);
  problem(await ask('GET', '/v1/policy', { role: 'agent' }), 403, 'FORBIDDEN');
});

test('a question to the policy is answered with the rules that matched, in order', async () => {
  const explain = (body) => ask('POST', '/v1/policy/explain', { role: 'viewer', body });
  const denied = await explain({ action: 'navigate', url: 'https://bank.test/' });
  assert.equal(denied.status, 200, JSON.stringify(denied.body));
  assert.equal(denied.body.verdict, 'deny');
  assert.match(denied.body.reason, /never there/);
  assert.deepEqual(denied.body.matched, ['anything', 'not at the bank']);
  assert.equal(denied.body.rules.length, 2);
  const allowed = await explain({ action: 'navigate', url: 'https://shop.test/', at_ms: 1767603600000 });
  assert.equal(allowed.body.verdict, 'allow');
  assert.deepEqual(allowed.body.matched, ['anything']);
  const risky = await explain({ action: 'click', url: 'https://shop.test/', label: 'Buy now for $650.00' });
  assert.ok(risky.body.risk.level, JSON.stringify(risky.body.risk));
  for (const [field, value] of [['action', 'fly'], ['capabilities', ['FLY']], ['rules', 'all'], ['amount', '5'], ['at_ms', 9_300_000_000_000], ['url', 7], ['more', 1]]) {
    const bad = await explain({ [field]: value });
    problem(bad, 400, 'INVALID_ARGUMENT');
    assert.match(bad.body.detail, new RegExp(`body.*${field}`));
  }
});

test('a policy is read again when an operator says so, and a bad one leaves the one in force', async () => {
  const before = (await ask('GET', '/v1/policy')).body.policy;
  writeFileSync(policyFile(), policy('closed'));
  problem(await ask('POST', '/v1/policy/reload', { role: 'viewer' }), 403, 'FORBIDDEN');
  const reloaded = await ask('POST', '/v1/policy/reload');
  assert.equal(reloaded.status, 200, JSON.stringify(reloaded.body));
  assert.notEqual(reloaded.body.policy.digest, before.digest);

  writeFileSync(policyFile(), 'rules: 7');
  const refused = await ask('POST', '/v1/policy/reload');
  problem(refused, 400, 'INVALID_SETTING');
  assert.match(refused.body.detail, /policy\.file/);
  assert.equal(typeof refused.body.details.line, 'number');
  const { body } = await ask('GET', '/v1/policy');
  assert.equal(body.policy.digest, reloaded.body.policy.digest);
  assert.equal(body.last_refused.problem.code, 'INVALID_SETTING');
  assert.ok(Date.parse(body.last_refused.at) > 0);

  writeFileSync(policyFile(), policy('closed'));
  assert.equal((await ask('POST', '/v1/policy/reload')).body.last_refused, null);
});

test('a server without a policy says so', async () => {
  const folder = newFolder();
  const plain = await startServer(folder.folder);
  const asked = clientOf(() => plain);
  assert.deepEqual((await asked('GET', '/v1/policy')).body, { policy: null, last_refused: null });
  problem(await asked('POST', '/v1/policy/explain', { body: { action: 'click' } }), 404, 'NOT_FOUND');
  problem(await asked('POST', '/v1/policy/reload'), 404, 'NOT_FOUND');
  assert.equal(await plain.stop(), 0);
  folder.remove();
});

test('limits are told with what is used of them', async () => {
  const named = (answer, name) => answer.body.quotas.find((one) => one.name === name);
  const empty = await ask('GET', '/v1/quotas', { role: 'viewer' });
  assert.equal(empty.status, 200, JSON.stringify(empty.body));
  assert.equal(named(empty, 'max_actions_per_minute').used, 0);
  assert.deepEqual(empty.body.leases, []);

  const action = { workflow_id: 'used', action_spec: { action_type: 'navigate', url: site.url('/form.html') } };
  assert.equal((await ask('POST', '/v1/actions', { body: action })).body.success, true);
  const used = await ask('GET', '/v1/quotas', { role: 'agent' });
  const actions = named(used, 'max_actions_per_minute');
  assert.equal(actions.window_ms, 60000);
  if (actions.used === 1) assert.ok(actions.resets_in_ms > 0 && actions.resets_in_ms <= 60000);
  assert.equal(used.body.actions_last_hour, 1);
  assert.equal(named(used, 'max_concurrent_sessions').used, 1);
  assert.equal(named(used, 'max_step_tokens').per, 'answer');
  assert.equal(used.body.leases.length, 1);
  assert.equal(used.body.leases[0].session, 'used');
  assert.ok(used.body.leases[0].epoch >= 1);
  assert.ok(used.body.breakers.threshold > 0);
  assert.deepEqual(used.body.breakers.circuits, []);
  assert.equal((await ask('DELETE', '/v1/sessions/used')).status, 204);
  assert.deepEqual((await ask('GET', '/v1/quotas')).body.leases, []);
});

// One that nothing listens on.
async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

test('a site that fails opens its circuit, and that is told', async () => {
  const dead = {
    workflow_id: 'dead',
    action_spec: { action_type: 'navigate', url: `http://127.0.0.1:${await closedPort()}/` },
    retry: { max_attempts: 1 },
  };
  for (let step = 0; step < 5; ++step) {
    const { body } = await ask('POST', '/v1/actions', { body: { ...dead, step_index: step } });
    assert.equal(body.success, false);
  }
  const { body } = await ask('GET', '/v1/quotas');
  assert.equal(body.breakers.circuits.length, 1, JSON.stringify(body.breakers));
  const [circuit] = body.breakers.circuits;
  assert.equal(circuit.state, 'open');
  assert.ok(circuit.retry_after_ms > 0);
});

test('a token is issued, verified, listed without itself, and revoked, all on record', async () => {
  problem(await ask('POST', '/v1/tokens', { role: 'agent', body: { agent: 'shopper', capabilities: ['READ'] } }), 403, 'FORBIDDEN');
  const issued = await ask('POST', '/v1/tokens', {
    body: { agent: 'shopper', capabilities: ['READ', 'NAVIGATE'], lifetime_s: 60, constraints: { domains: ['shop.test'] } },
  });
  assert.equal(issued.status, 201, JSON.stringify(issued.body));
  assert.deepEqual(issued.body.granted, ['READ', 'NAVIGATE']);
  const { token, jti } = issued.body;

  const verify = async (more = {}) => (await ask('POST', '/v1/tokens/verify', { role: 'viewer', body: { token, ...more } })).body;
  assert.equal((await verify()).valid, true);
  assert.equal((await verify({ urls: ['https://shop.test/'], capabilities: ['READ'] })).claims.sub, 'shopper');
  const outside = await verify({ urls: ['https://else.test/'] });
  assert.equal(outside.valid, false);
  assert.equal(outside.problem.code, 'CONSTRAINT_VIOLATED');
  assert.equal((await verify({ capabilities: ['PURCHASE'] })).problem.code, 'CAPABILITY_MISSING');
  const forged = await ask('POST', '/v1/tokens/verify', { body: { token: `${token.slice(0, -8)}AAAAAAAA` } });
  assert.equal(forged.body.problem.code, 'TOKEN_INVALID');

  const listed = await ask('GET', '/v1/tokens?agent=shopper', { role: 'viewer' });
  assert.equal(listed.body.tokens.length, 1);
  assert.equal(listed.body.tokens[0].jti, jti);
  assert.equal(listed.body.tokens[0].standing, 'in_force');
  assert.ok(!JSON.stringify(listed.body).includes(token.split('.')[2]), 'no secret is listed');

  const revoked = await ask('POST', `/v1/tokens/${jti}/revoke`, { body: { reason: 'lost' } });
  assert.deepEqual(revoked.body, { jti, issued_here: true });
  assert.equal((await verify()).problem.code, 'TOKEN_REVOKED');
  assert.equal((await ask('GET', '/v1/tokens')).body.tokens[0].standing, 'revoked');

  const records = await tokenRecords();
  assert.deepEqual(records.map((one) => one.payload.event), ['token_issue', 'token_revoke']);
  for (const { payload } of records) {
    assert.equal(payload.token_jti, jti);
    assert.equal(payload.channel, 'rest');
    assert.ok(payload.by);
  }
  assert.equal(records[1].payload.reason, 'lost');
  assert.ok(!JSON.stringify(records).includes(token));
});

test('tokens of an agent, and all, are revoked at once', async () => {
  const issue = async (agent) => (await ask('POST', '/v1/tokens', { body: { agent, capabilities: ['READ'] } })).body;
  const standing = async (jti) => (await ask('GET', '/v1/tokens')).body.tokens.find((one) => one.jti === jti).standing;
  const one = await issue('reader');
  const other = await issue('writer');
  const ofAgent = await ask('POST', '/v1/tokens/revoke-agent', { body: { agent: 'reader', reason: 'gone' } });
  assert.deepEqual(ofAgent.body, { revoked: 1 });
  assert.equal(await standing(one.jti), 'revoked');
  assert.equal(await standing(other.jti), 'in_force');
  const all = await ask('POST', '/v1/tokens/revoke-all');
  assert.equal(all.status, 200, JSON.stringify(all.body));
  assert.equal(await standing(other.jti), 'revoked');
  assert.deepEqual((await tokenRecords()).slice(-2).map(({ payload }) => payload.event), ['token_revoke_agent', 'token_revoke_all']);
});

test('what is wrong with an order about tokens is named', async () => {
  const bad = async (path, body, field) => {
    const answer = await ask('POST', path, { body });
    problem(answer, 400, 'INVALID_ARGUMENT');
    assert.match(answer.body.detail, field);
  };
  await bad('/v1/tokens', { capabilities: ['READ'] }, /agent/);
  await bad('/v1/tokens', { agent: 'a' }, /capabilities/);
  await bad('/v1/tokens', { agent: 'a', capabilities: ['FLY'] }, /capabilities.*FLY/);
  await bad('/v1/tokens', { agent: 'a', capabilities: ['READ'], constraints: { moon: 1 } }, /constraints/);
  await bad('/v1/tokens', { agent: 'a', capabilities: ['READ'], lifetime_s: 0 }, /lifetime_s/);
  await bad('/v1/tokens', 'no json', /body/);
  await bad('/v1/tokens/verify', {}, /token/);
  await bad('/v1/tokens/revoke-agent', {}, /agent/);
  await bad('/v1/tokens/eyJh.eyJi.c2ln/revoke', {}, /token_id/);
  await bad('/v1/tokens/revoke-all', { reason: 'x'.repeat(201) }, /reason/);
});
