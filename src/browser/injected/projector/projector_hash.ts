// A fast 64-bit fingerprint of what a state says (two 32-bit lanes). Tells changes, resists no attacker.

export class ContentHash {
  private high = 0x9e3779b9;
  private low = 0x85ebca6b;

  add(value: unknown): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value) ?? '';
    // Locals and one loop: in a fresh document this runs before anything is compiled.
    let high = this.high;
    let low = this.low;
    for (let i = 0; i <= text.length; ++i) {
      // The end mark is no UTF-16 unit, so that ["a","b"] and ["ab"] differ.
      const unit = i < text.length ? text.charCodeAt(i) : 0x10000;
      high = Math.imul(high ^ unit, 0x9e3779b1);
      low = Math.imul(low ^ unit, 0x5f356495);
      high ^= high >>> 16;
      low ^= low >>> 15;
    }
    this.high = high;
    this.low = low;
  }

  hex(): string {
    const high = avalanche(this.high ^ (this.low >>> 15));
    const low = avalanche(this.low ^ (this.high >>> 13));
    return lane(high) + lane(low);
  }
}

function avalanche(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function lane(value: number): string {
  return value.toString(16).padStart(8, '0');
}
