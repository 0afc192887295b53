// The published schemas, as a validator of others sees them: they are valid JSON Schema 2020-12, accept
// every valid fixture and refuse every broken one. That the readers of the program agree with the same
// fixtures is checked in src/model/contract/contract_schema_test.cc.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv2020 from 'ajv/dist/2020.js';

const preset = process.env.FALCONER_PRESET ?? 'dev';
// The program would take it for a setting.
delete process.env.FALCONER_PRESET;
const program = fileURLToPath(new URL(`../../build/${preset}/falconer`, import.meta.url));

function schema(name) {
  return JSON.parse(execFileSync(program, ['schema', name.replace('_', '-')], { encoding: 'utf8', maxBuffer: 1 << 24 }));
}

function fixtures(name) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}

function show(value) {
  return JSON.stringify(value).slice(0, 300);
}

for (const name of ['contract', 'plan', 'result', 'plan_result']) {
  const document = schema(name);
  // Strict, so that a keyword nobody knows is an error; types are narrowed by their neighbours here.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });

  test(`the ${name} schema is JSON Schema 2020-12`, () => {
    assert.equal(document.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.ok(ajv.validateSchema(document), ajv.errorsText());
  });

  const validate = ajv.compile(document);
  const { valid, broken } = fixtures(name);

  test(`the ${name} schema accepts what is valid`, () => {
    assert.ok(valid.length > 0);
    for (const value of valid) {
      assert.ok(validate(value), `${show(value)}\n${ajv.errorsText(validate.errors)}`);
    }
  });

  test(`the ${name} schema refuses what is broken`, () => {
    assert.ok(broken.length > 10);
    for (const { why, value } of broken) assert.ok(!validate(value), `${why}: ${show(value)}`);
  });
}
