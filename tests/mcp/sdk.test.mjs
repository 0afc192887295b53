// The official clients, of both eras, against the program.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import Ajv2020 from 'ajv/dist/2020.js';
import { newFolder, server, startSite, textOf, unmarked } from './harness.mjs';

const about = { name: 'falconer-tests', version: '1' };
let site;

before(async () => {
  site = await startSite();
});
after(() => site.stop());

// Connects, runs the body, and ends whatever happens.
async function withClient(client, Transport, more, body) {
  const { folder, remove } = newFolder();
  await client.connect(new Transport(server(folder, ...more)));
  try {
    await body(client);
  } finally {
    await client.close();
    remove();
  }
}

const eras = [
  ['2025-11-25', () => new Client(about), StdioClientTransport],
  ['2026-07-28', () => new ModernClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), ModernStdio],
];

for (const [era, make, Transport] of eras) {
  test(`${era}: a form is filled and sent`, async () => {
    await withClient(make(), Transport, [], async (client) => {
      const page = await client.callTool({ name: 'browser_navigate', arguments: { url: site.url('/form.html') } });
      assert.match(unmarked(textOf(page)), /^ok\npage "Form with every control"/);
      const name = /(d\d+e\d+) textbox "Name"/.exec(textOf(page))[1];
      const filled = await client.callTool({
        name: 'browser_fill_form',
        arguments: { fields: [{ target: name, value: 'Ada' }, { target: '#agree', value: 'true' }] },
      });
      assert.match(textOf(filled), /^ok 2 fields/);
      const sent = await client.callTool({ name: 'browser_click', arguments: { target: '#submit' } });
      assert.match(textOf(sent), /^ok\n/);
      assert.match(textOf(sent), /submit/);
    });
  });

  test(`${era}: failures are answers with a code`, async () => {
    await withClient(make(), Transport, [], async (client) => {
      const refused = await client.callTool({ name: 'browser_navigate', arguments: { url: 'https://example.com' } });
      assert.equal(refused.isError, true);
      assert.match(textOf(refused), /^error SECURITY_DOMAIN_BLOCK: /);
      const wrong = await client.callTool({ name: 'browser_click', arguments: { target: 7 } });
      assert.match(textOf(wrong), /^error VALIDATION_ERROR: target: expected string/);
      await assert.rejects(client.callTool({ name: 'browser_fly', arguments: {} }), /unknown tool/);
    });
  });
}

for (const [era, make, Transport] of eras) {
  test(`${era}: what a session keeps is read by its link`, async () => {
    await withClient(make(), Transport, [], async (client) => {
      assert.deepEqual((await client.listResources()).resources, []);
      await client.callTool({ name: 'browser_navigate', arguments: { url: site.url('/downloads.html') } });
      const shot = await client.callTool({ name: 'browser_take_screenshot', arguments: {} });
      const [image] = shot.content.filter((part) => part.type === 'image');
      const [picture] = shot.content.filter((part) => part.type === 'resource_link');
      assert.match(picture.uri, /^falconer:\/\/artifact\/art_[0-9a-f]{20}$/);
      const read = await client.readResource({ uri: picture.uri });
      assert.deepEqual(read.contents.map(({ uri, mimeType, blob }) => [uri, mimeType, blob]), [[picture.uri, 'image/png', image.data]]);
      assert.equal(Buffer.from(read.contents[0].blob, 'base64').length, picture.size);

      const pdf = await client.callTool({ name: 'browser_pdf_save', arguments: {} });
      const [document] = pdf.content.filter((part) => part.type === 'resource_link');
      assert.equal(document.mimeType, 'application/pdf');
      const { resources } = await client.listResources();
      assert.deepEqual(resources.map(({ uri }) => uri).sort(), [picture.uri, document.uri].sort());
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['falconer://artifact/{id}{?session}']);
    });
  });

  test(`${era}: a download of another session is read by its link alone`, async () => {
    await withClient(make(), Transport, ['--tools', 'contract'], async (client) => {
      const session = 'store';
      await client.callTool({ name: 'browser_navigate', arguments: { url: site.url('/downloads.html'), session } });
      const contract = { action_spec: { action_type: 'download_trigger', selector: '#link' } };
      const kept = await client.callTool({ name: 'execute_action', arguments: { contract, session } });
      const [file] = kept.content.filter((part) => part.type === 'resource_link');
      assert.match(file.uri, /^falconer:\/\/artifact\/dl_[0-9a-f]{20}\?session=store$/);
      assert.equal((await client.readResource({ uri: file.uri })).contents[0].blob.length > 0, true);
      await assert.rejects(client.readResource({ uri: file.uri.replace(/\?.*/, '') }), /no artifact|not found|NOT_FOUND/i);
      await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /resources are falconer:/);
    });
  });
}

test('every schema is JSON Schema 2020-12 and every description is there', async () => {
  await withClient(new Client(about), StdioClientTransport, ['--tools', 'all'], async (client) => {
    const { tools } = await client.listTools();
    assert.equal(tools.length, 40);
    const ajv = new Ajv2020({ strict: true });
    for (const tool of tools) {
      assert.ok(ajv.validateSchema(tool.inputSchema), `${tool.name}: ${ajv.errorsText()}`);
      assert.ok(tool.title && tool.description && tool.annotations, tool.name);
      assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
    }
  });
});

test('progress is told to those who ask', async () => {
  await withClient(new Client(about), StdioClientTransport, [], async (client) => {
    await client.callTool({ name: 'browser_navigate', arguments: { url: site.url('/form.html') } });
    const seen = [];
    const fields = ['#name', '#notes'].map((target) => ({ target, value: 'x' }));
    await client.callTool({ name: 'browser_fill_form', arguments: { fields } }, undefined, {
      onprogress: (progress) => seen.push(progress.message),
    });
    assert.deepEqual(seen, ['field 1 of 2', 'field 2 of 2']);
  });
});

test('a call is called off and the next one is served', async () => {
  await withClient(new Client(about), StdioClientTransport, [], async (client) => {
    await client.callTool({ name: 'browser_navigate', arguments: { url: site.url('/form.html') } });
    const off = new AbortController();
    const waiting = client.callTool({ name: 'browser_wait_for', arguments: { text: 'Nowhere', time: 50 } }, undefined, { signal: off.signal });
    setImmediate(() => off.abort('enough'));
    await assert.rejects(waiting);
    const next = await client.callTool({ name: 'browser_click', arguments: { target: '#save' } });
    assert.match(textOf(next), /^ok/);
  });
});

test('a picture comes as one', async () => {
  await withClient(new Client(about), StdioClientTransport, [], async (client) => {
    await client.callTool({ name: 'browser_navigate', arguments: { url: site.url('/colours.html') } });
    const shot = await client.callTool({ name: 'browser_take_screenshot', arguments: { type: 'jpeg' } });
    const image = shot.content.find((part) => part.type === 'image');
    assert.equal(image.mimeType, 'image/jpeg');
    assert.equal(Buffer.from(image.data, 'base64').subarray(0, 2).toString('hex'), 'ffd8');
  });
});
