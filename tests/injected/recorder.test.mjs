// What people do in a page is told: with real input, in order, and never what is kept secret.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useBrowser } from './harness.mjs';

const browser = useBrowser();
let page;
let told = [];

before(async () => {
  page = await browser.page();
  await listen(page);
});

// From now on everything the page tells is in `told`.
async function listen(to) {
  to.once('Runtime.bindingCalled', ({ payload }) => {
    told.push(JSON.parse(payload));
    return false;
  });
  await to.send('Runtime.addBinding', { name: '__falconer_tell', executionContextName: 'falconer' });
}

async function record(html) {
  await page.show(html);
  await page.call('record');
  told = [];
}

async function spot(selector) {
  return page.evaluate((wanted) => {
    const { x, y, width, height } = document.querySelector(wanted).getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }, selector);
}

async function click(selector, options) {
  await page.mouse.click(...(await spot(selector)), options);
}

async function write(text) {
  for (const char of text) {
    const key = char === '\n' ? { key: 'Enter', windowsVirtualKeyCode: 13, text: '\r' } : { key: char, text: char };
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
    await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key: key.key });
  }
}

const CODES = { Enter: 13, Escape: 27, ' ': 32, ArrowUp: 38, ArrowDown: 40, Delete: 46, Tab: 9, s: 83, a: 65 };

async function press(key, modifiers = 0) {
  const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined;
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key, modifiers, windowsVirtualKeyCode: CODES[key], ...(text && !modifiers && { text }) });
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers, windowsVirtualKeyCode: CODES[key] });
}

// Everything that was done has had its turn.
async function settled() {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
  return told;
}

const short = ({ kind, element, text, key, options, files, to, secret }) =>
  [kind, element?.name || element?.label || element?.attributes.id || '', text ?? key ?? options ?? files ?? to?.text ?? (secret ? 'secret' : undefined)]
    .filter((part) => part !== undefined);

async function shorts() {
  return (await settled()).map(short);
}

test('a press is told with the element that reacts to it', async () => {
  await record('<main aria-label=Shop><button id=add><i>+</i> Add</button></main>');
  await click('i');
  const [done, ...more] = await settled();
  assert.equal(more.length, 0);
  assert.equal(done.kind, 'click');
  assert.equal(done.element.name, '+ Add');
  assert.equal(done.element.landmark, 'main "Shop"');
  assert.deepEqual([done.button, done.count, done.modifiers, done.hand], ['left', 1, [], null]);
});

test('it is told as it was before the page heard of it', async () => {
  await record('<button onmousedown="this.textContent = `Adding`" onclick="this.remove()">Add</button>');
  await click('button');
  assert.deepEqual(await shorts(), [['click', 'Add']]);
});

test('a second press in a row says so, and other buttons are told apart', async () => {
  await record('<button>Add</button>');
  await click('button');
  await click('button', { clickCount: 2 });
  await click('button', { button: 'right' });
  assert.deepEqual((await settled()).map(({ count, button }) => [count, button]), [[1, 'left'], [2, 'left'], [1, 'right']]);
});

test('what is typed is told as a whole when the field is left', async () => {
  await record('<label>Name <input id=a value=old></label><label>City <input id=b></label><button>Go</button>');
  await click('#a');
  await press('a', 2);
  await write('Ann');
  await click('#b');
  await write('Oslo');
  await click('button');
  assert.deepEqual(await shorts(), [['click', 'Name'], ['type', 'Name', 'Ann'], ['click', 'City'], ['type', 'City', 'Oslo'], ['click', 'Go']]);
});

test('Enter, Tab, and Escape end the typing; only what does something is told', async () => {
  await record('<form onsubmit="return false"><label>Find <input id=a></label><label>In <input id=b></label><button>Go</button></form>');
  await click('#a');
  await write('lamp');
  await press('Tab');
  await write('shop');
  await press('Enter');
  await press('Escape');
  assert.deepEqual((await shorts()).slice(1), [['type', 'Find', 'lamp'], ['type', 'In', 'shop'], ['press', 'In', 'Enter'], ['press', 'In', 'Escape']]);
});

test('text that was there before and is there again was not typed', async () => {
  await record('<input id=a value=x><button>Go</button>');
  await click('#a');
  await write('y');
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Backspace', windowsVirtualKeyCode: 8 });
  await click('button');
  assert.deepEqual((await shorts()).map(([kind]) => kind), ['click', 'click']);
});

test('an emptied field is told as cleared', async () => {
  await record('<input id=a value=x><button>Go</button>');
  await click('#a');
  await press('a', 2);
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'a', modifiers: 2, commands: ['selectAll'] });
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Backspace', windowsVirtualKeyCode: 8 });
  await click('button');
  assert.deepEqual((await shorts()).map(([kind]) => kind), ['click', 'clear', 'click']);
});

test('lines of an area and of an editor are one text', async () => {
  await record('<label>Note <textarea id=a></textarea></label><div id=b contenteditable role=textbox aria-label=Body>-</div><button>Go</button>');
  await click('#a');
  await write('one\ntwo');
  await click('#b');
  await write('x\ny');
  await click('button');
  const typed = (await shorts()).filter(([kind]) => kind !== 'click');
  assert.deepEqual(typed[0], ['type', 'Note', 'one\ntwo']);
  assert.equal(typed[1][1], 'Body');
  assert.match(typed[1][2], /x\n+y/);
  assert.equal(typed.length, 2);
});

test('Enter that sends a message is told after the message', async () => {
  await record(`<textarea aria-label=Message onkeydown="if (event.key === 'Enter') { event.preventDefault(); this.value = ''; }"></textarea>`);
  await click('textarea');
  await write('hello');
  await press('Enter');
  assert.deepEqual((await shorts()).slice(1), [['type', 'Message', 'hello'], ['press', 'Message', 'Enter']]);
});

for (const [name, html] of [
  ['a password', '<input id=a type=password aria-label=x>'],
  ['a card number', '<input id=a autocomplete=cc-number aria-label=x>'],
  ['a field that is called so', '<label>Security code <input id=a></label>'],
  ['a password that is shown', '<input id=a type=password aria-label=x onfocus="this.type = `text`">'],
]) {
  test(`nothing of ${name} leaves the page`, async () => {
    await record(`${html}<button>Go</button>`);
    await click('#a');
    await write('hunter2');
    await press('Enter');
    await click('button');
    const all = await settled();
    const typed = all.find(({ kind }) => kind === 'type');
    assert.equal(typed.secret, true);
    assert.equal(typed.text, undefined);
    assert.ok(!JSON.stringify(all).includes('unter'), JSON.stringify(all));
  });
}

test('an element that shows a password elsewhere is not told of', async () => {
  await record('<input id=a type=password aria-label=x oninput="o.textContent = this.value"><button id=o>Say</button>');
  await click('#a');
  await write('hunter2');
  await click('#o');
  const all = await settled();
  assert.ok(all.some(({ kind, element }) => kind === 'click' && element === null), JSON.stringify(all));
  assert.ok(!JSON.stringify(all).includes('unter'), JSON.stringify(all));
});

test('boxes, radio buttons and switches are told by the state they get', async () => {
  await record(`<label id=l><input type=checkbox id=a> Gift</label><label><input type=radio name=r id=r1 checked> One</label>
    <label><input type=radio name=r id=r2> Two</label><button role=switch aria-checked=true id=s>Dark</button>`);
  await click('#a');
  await click('#l');
  await click('#r2');
  await click('#s');
  assert.deepEqual(await shorts(), [['check', 'Gift'], ['uncheck', 'Gift'], ['check', 'Two'], ['uncheck', 'Dark']]);
});

test('keys that press a control are told as the press', async () => {
  await record('<button id=a>Save</button><label><input type=checkbox id=b> Gift</label><a id=c href="#x">Link</a><div id=d role=button tabindex=0>Own</div>');
  for (const [id, key] of [['a', 'Enter'], ['a', ' '], ['b', ' '], ['c', 'Enter'], ['d', 'Enter'], ['d', ' ']]) {
    await page.evaluate((wanted) => document.getElementById(wanted).focus(), id);
    await press(key);
  }
  assert.deepEqual(await shorts(), [['click', 'Save'], ['click', 'Save'], ['check', 'Gift'], ['click', 'Link'], ['press', 'Own', 'Enter'], ['press', 'Own', ' ']]);
});

test('a label passes its press on only once', async () => {
  await record('<label for=b>Please</label><button id=b>Save</button>');
  await click('label');
  assert.deepEqual((await shorts()).map(([kind]) => kind), ['click']);
});

test('shortcuts and arrows in menus are told, editing is not', async () => {
  await record('<ul role=menu><li role=menuitem tabindex=0 id=m>Open</ul><input id=i aria-label=Field>');
  await page.evaluate(() => document.getElementById('m').focus());
  await press('ArrowDown');
  await press('s', 2);
  await page.evaluate(() => document.getElementById('i').focus());
  await press('ArrowUp');
  await press('a', 2);
  await press('Delete');
  const done = await settled();
  assert.deepEqual(done.map(short), [['press', 'Open', 'ArrowDown'], ['press', 'Open', 's']]);
  assert.deepEqual(done[1].modifiers, ['Control']);
});

test('an option that is chosen is told as people read it', async () => {
  await record('<select aria-label=Size><option value=s>Small<option value=l>Large<option value=x>Same<option value=y>Same</select>');
  await page.evaluate(() => document.querySelector('select').focus());
  await press('ArrowDown');
  await press('ArrowDown');
  assert.deepEqual(await shorts(), [['select', 'Size', [{ label: 'Large' }]], ['select', 'Size', [{ value: 'x' }]]]);
});

test('files are told by their names', async () => {
  await record('<label>Photo <input type=file id=f></label>');
  const { objectId } = await page.callForObject('element', { target: { steps: [{ engine: 'css', body: '#f' }] } });
  await page.send('DOM.setFileInputFiles', { objectId, files: ['/etc/hostname'] });
  assert.deepEqual(await shorts(), [['upload', 'Photo', ['hostname']]]);
});

test('a slider and a date are told as they are set', async () => {
  await record('<input type=range id=a min=0 max=10 value=5 aria-label=Volume><button>Go</button>');
  await page.evaluate(() => document.getElementById('a').focus());
  await press('ArrowUp');
  await click('button');
  assert.deepEqual(await shorts(), [['fill', 'Volume', '6'], ['click', 'Go']]);
});

test('a drag by the mouse is told once, and is no press', async () => {
  await record('<div id=a style="width:80px;height:40px;background:red;user-select:none">Card</div><div id=b style="margin-top:60px;width:200px;height:80px">Done</div>');
  const from = await spot('#a');
  const to = await spot('#b');
  await page.mouse.move(...from);
  await page.mouse.down(...from);
  await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: to[0], y: to[1], button: 'left', buttons: 1 });
  await page.mouse.up(...to);
  const done = await settled();
  assert.deepEqual(done.map(({ kind, element, to: onto }) => [kind, element.text, onto?.text]), [['drag', 'Card', 'Done']]);
});

test('selecting text is no drag', async () => {
  await record('<p id=a>Some words to select</p><p id=b>and some more of them</p>');
  const [x, y] = await spot('#a');
  const to = await spot('#b');
  await page.mouse.down(x, y);
  await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: to[0], y: to[1], button: 'left', buttons: 1 });
  await page.mouse.up(...to);
  assert.ok(!(await settled()).some(({ kind }) => kind === 'drag'));
});

test('what scripts of the page do is not told', async () => {
  await record('<button id=a>Go</button><input id=b><select id=c><option>1<option>2</select>');
  await page.evaluate(() => {
    for (let i = 0; i < 1000; ++i) document.getElementById('a').click();
    const field = document.getElementById('b');
    field.value = 'x';
    for (const type of ['input', 'change', 'keydown', 'pointerdown', 'drop']) field.dispatchEvent(new Event(type, { bubbles: true }));
    document.getElementById('a').dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'mouse' }));
  });
  assert.deepEqual(await settled(), []);
});

test('nobody does so much at once', async () => {
  await record('<button>Go</button>');
  const at = await spot('button');
  for (let i = 0; i < 80; ++i) await page.mouse.click(...at);
  const { length } = await settled();
  assert.ok(length >= 40 && length < 80, `${length}`);
});

test('the page cannot see that it is watched', async () => {
  await record('<button>Go</button>');
  assert.equal(await page.evaluate(() => typeof globalThis.__falconer_tell), 'undefined');
});

test('what an agent does is left out, and what a person typed before is told first', async () => {
  await record('<label>Name <input id=a></label><label>City <input id=b></label><button>Go</button>');
  await page.call('record_hand', { from: 0, to: 0 });
  await click('#a');
  await write('Ann');
  await page.call('record_hand', { from: 0, to: 1 });
  await click('#b');
  await write('Oslo');
  await page.call('record_hand', { from: 1, to: 2 });
  await click('button');
  const done = await settled();
  assert.deepEqual(done.map(short), [['click', 'Name'], ['type', 'Name', 'Ann'], ['click', 'Go']]);
  assert.deepEqual(done.map(({ hand }) => hand), [0, 0, 2]);
});

test('who typed in a new document is known when the turn ends', async () => {
  await record('<label>Name <input id=a></label><button>Go</button>');
  await click('#a');
  await write('Ann');
  await page.call('record_hand', { from: 1, to: 0 });
  await click('button');
  assert.deepEqual((await shorts()).map(([kind]) => kind), ['click', 'click']);
});

test('what is typed and not told yet is told when it is asked for, and at the end', async () => {
  await record('<label>Name <input id=a></label>');
  await click('#a');
  await write('An');
  await page.call('record_flush');
  await write('n');
  await page.call('record_end');
  await write('a');
  await click('#a');
  assert.deepEqual((await shorts()).slice(1), [['type', 'Name', 'An'], ['type', 'Name', 'Ann']]);
});

test('a document that is written anew is watched on', async () => {
  const own = await browser.page('<p>old</p>');
  await listen(own);
  await own.call('record');
  told = [];
  await own.evaluate(() => {
    document.open();
    document.write('<!doctype html><button style="position:fixed;left:0;top:0">New</button>');
    document.close();
  });
  await own.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
  await own.mouse.click(10, 10);
  await own.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
  assert.deepEqual(told.map(short), [['click', 'New']]);
  await own.close();
});
