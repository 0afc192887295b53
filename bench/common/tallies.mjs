// What pages tell of themselves when they are left: how often their counter was clicked.

export class Tallies {
  #counts = new Map();  // by run
  #waiting = [];

  // The query of a page's last word: run, clicks.
  hear(query) {
    this.#counts.set(query.get('run'), Number(query.get('clicks')));
    for (const wake of this.#waiting.splice(0)) wake();
  }

  // How often the counter of a page was clicked, once it told; fails when it does not tell in time.
  async of(run, millis = 3000) {
    const end = performance.now() + millis;
    while (!this.#counts.has(run) && performance.now() < end) {
      await new Promise(resolve => {
        const timer = setTimeout(resolve, 50);
        this.#waiting.push(() => { clearTimeout(timer); resolve(); });
      });
    }
    if (!this.#counts.has(run)) throw new Error('the page did not say how often it was clicked');
    return this.#counts.get(run);
  }
}
