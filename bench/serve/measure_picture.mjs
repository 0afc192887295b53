// How long it takes until a viewer sees what happened: from when the page changed its colour, by its own clock, which
// is the machine's, until a picture of the new colour was whole.

import { setTimeout as pause } from 'node:timers/promises';

import { Clicker } from './clicker.mjs';
import { FalconerServer } from '../common/falconer_server.mjs';
import { cornerOf } from './jpeg_corner.mjs';
import { StreamViewer } from './stream_viewer.mjs';

const kSession = 'flip';
const kSeenMillis = 5000;
const kBright = 200;
const kDark = 55;

// The colour that a viewer sees, and when it came to see it.
class Watcher {
  #viewer;
  #isWhite;
  #since = 0;
  #wake = () => {};

  constructor({ url, keys }) {
    this.#viewer = new StreamViewer({ url, key: keys.viewer, session: kSession,
      show: (picture, at) => this.#show(picture, at) });
  }

  // When it saw this colour; fails when it does not see it.
  async sees(isWhite) {
    const end = performance.now() + kSeenMillis;
    while (this.#isWhite !== isWhite) {
      if (this.#viewer.isClosed) throw new Error('the server closed the stream');
      if (performance.now() > end) throw new Error(`no picture turned ${isWhite ? 'white' : 'black'}`);
      await Promise.race([new Promise(resolve => { this.#wake = resolve; }), pause(100)]);
    }
    return this.#since;
  }

  async begin() {
    await this.#viewer.begun;
    await this.sees(false);
  }

  leave() {
    this.#viewer.close();
  }

  #show({ jpeg }, at) {
    const light = cornerOf(jpeg);
    if (light > kDark && light < kBright) return;
    const isWhite = light >= kBright;
    if (isWhite === this.#isWhite) return;
    this.#isWhite = isWhite;
    this.#since = at;
    this.#wake();
  }
}

// Not always the same time after the picture before.
function gap(flip) {
  return flip * 37 % 400;
}

async function flipOnce(flip, clicker, watcher, figures) {
  const clicked = await clicker.click();
  if (!clicked) return;
  const [, changed] = /Count: \d+ at (\d+)/.exec(clicked.answer) ?? [];
  if (changed === undefined) throw new Error(`the answer does not say when: ${clicked.answer.slice(0, 200)}`);
  figures.add('falconer', 'picture_delay_ms', await watcher.sees(flip % 2 === 1) - Number(changed));
}

export async function measurePicture(settings, site, figures) {
  const server = new FalconerServer(settings, ['stream.enabled=true']);
  await figures.attempt('picture', async () => {
    await server.start();
    const clicker = new Clicker(await server.connect(), site, figures, { session: kSession });
    await clicker.open('flip');
    const watcher = new Watcher(server);
    await watcher.begin();
    for (let flip = 1; flip <= settings.samples; ++flip) {
      await pause(gap(flip));
      await flipOnce(flip, clicker, watcher, figures);
    }
    watcher.leave();
    await clicker.leave();
  });
  await figures.attempt('picture', () => server.stop());
}
