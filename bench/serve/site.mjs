// The pages that are acted on and watched, and the witness of what happened to them.
//
//   /counter?run=R   a button and how often it was clicked
//   /show?run=R      the same, beside a picture that never stands still
//   /flip?run=R      the same, and every click turns the whole page from black to white or back
//   /tally           hears from a page that is left how often its counter was clicked
//   /blank           an empty page

import { document, PageSite } from '../common/page_site.mjs';

export const kButton = 'Add one';

export function countText(count) {
  return `Count: ${count}`;
}

const kCounter = `<main><h1>Counter</h1><button id="add">${kButton}</button> ` +
    `<output id="count">${countText(0)}</output></main>`;
const kScript = `
const run = new URLSearchParams(location.search).get('run');
const output = document.getElementById('count');
let count = 0;
document.getElementById('add').addEventListener('click', () => {
  ++count;
  globalThis.counted?.();
  output.textContent = 'Count: ' + count + (globalThis.stamped ? ' at ' + Date.now() : '');
});
addEventListener('pagehide', () => navigator.sendBeacon('/tally?run=' + run + '&clicks=' + count));
`;
// Large, so that every picture is new, and by style and by script.
const kShow = `<style>
@keyframes turn { to { transform: rotate(360deg) } }
#wheel { width: 300px; height: 300px; animation: turn 2s linear infinite;
  background: conic-gradient(red, gold, lime, cyan, blue, magenta, red) }
</style><div id="wheel"></div><canvas id="stripes" width="600" height="200"></canvas><script>
const pen = document.getElementById('stripes').getContext('2d');
function draw(time) {
  for (let x = 0; x < 60; ++x) {
    pen.fillStyle = 'hsl(' + (x * 6 + time / 5) % 360 + ' 80% 50%)';
    pen.fillRect(x * 10, 0, 10, 200);
  }
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
</script>`;
// The words keep away from the corner, whose colour is looked at.
const kFlip = `<style>
html { background: black; color: gray } html.white { background: white } main { margin: 100px }
</style><script>
globalThis.stamped = true;
globalThis.counted = () => document.documentElement.classList.toggle('white');
</script>`;

const kPages = {
  '/counter': document('Counter', `${kCounter}<script>${kScript}</script>`),
  '/show': document('Show', `${kCounter}${kShow}<script>${kScript}</script>`),
  '/flip': document('Flip', `${kFlip}${kCounter}<script>${kScript}</script>`),
};

// Runs have names of one length.
let runs = 100;

export class Site extends PageSite {
  // A page of that kind that nobody has opened yet: { url, run }.
  open(kind) {
    const run = `r${++runs}`;
    return { run, url: `${this.origin}/${kind}?run=${run}` };
  }

  answer(path) {
    return kPages[path];
  }
}
