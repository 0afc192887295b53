// What was measured: for each contestant and figure a list of samples, and what could not be measured.

export class Figures {
  #samples = new Map();  // contestant -> figure -> numbers
  missed = [];           // effects that the site did not confirm, as "who: why"
  failed = [];           // what could not be measured, as "who: why"

  add(contestant, figure, sample) {
    this.addAll(contestant, figure, [sample]);
  }

  addAll(contestant, figure, samples) {
    const figures = this.#samples.get(contestant) ?? new Map();
    const known = figures.get(figure) ?? [];
    for (const sample of samples) known.push(sample);
    this.#samples.set(contestant, figures.set(figure, known));
  }

  // Linear interpolation between the closest ranks; undefined without samples.
  percentile(contestant, figure, share) {
    const values = [...this.#samples.get(contestant)?.get(figure) ?? []].sort((a, b) => a - b);
    if (values.length === 0) return undefined;
    const at = share * (values.length - 1);
    const low = Math.floor(at);
    return values[low] + (values[Math.ceil(at)] - values[low]) * (at - low);
  }

  // Undefined without samples.
  total(contestant, figure) {
    return this.#samples.get(contestant)?.get(figure)?.reduce((all, one) => all + one, 0);
  }

  median(contestant, figure) {
    return this.percentile(contestant, figure, 0.5);
  }

  // Does the work; a failure is noted, not thrown, so that the others are measured all the same.
  async attempt(contestant, work) {
    try {
      return await work();
    } catch (error) {
      this.failed.push(`${contestant}: ${error.message}`);
      return undefined;
    }
  }
}
