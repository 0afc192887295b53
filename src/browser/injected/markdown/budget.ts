// What reading a page may cost: a page without end is cut, and says so.

const MAX_NODES = 200_000;
// Deeper trees are built to exhaust whoever walks them.
export const MAX_DEPTH = 400;

export class Budget {
  isSpent = false;
  private nodes = MAX_NODES;
  private chars: number;

  // The margin is for what is cut off again at the end.
  constructor(maxChars: number) {
    this.chars = maxChars * 1.25 + 64;
  }

  // False when nothing more may be read.
  enter(depth: number): boolean {
    if (--this.nodes < 0 || depth > MAX_DEPTH || this.chars < 0) this.isSpent = true;
    return !this.isSpent;
  }

  write(text: string): void {
    this.chars -= text.length;
  }
}
