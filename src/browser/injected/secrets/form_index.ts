// Finds any of many texts in another one. There may be thousands of them: the first characters of each place tell
// whether it is worth a closer look.

export interface Range {
  from: number;
  to: number;
}

const START = 4;

export class FormIndex {
  // By a number made of their first characters; the longest first.
  private readonly byStart = new Map<number, string[]>();

  // Letters count whatever their case is. What has fewer than four characters is left out.
  add(form: string): void {
    const folded = fold(form);
    if (folded.length < START) return;
    const start = startAt(folded, 0);
    const known = this.byStart.get(start) ?? [];
    if (known.includes(folded)) return;
    this.byStart.set(start, [...known, folded].sort((a, b) => b.length - a.length));
  }

  // In order, without overlap.
  find(text: string): Range[] {
    const found: Range[] = [];
    if (this.byStart.size === 0) return found;
    const folded = fold(text);
    for (let at = 0; at + START <= folded.length; ) {
      const form = this.byStart.get(startAt(folded, at))?.find((known) => folded.startsWith(known, at));
      if (form) found.push({ from: at, to: at + form.length });
      at += form ? form.length : 1;
    }
    return found;
  }
}

// Places in it must stay where they are.
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

function startAt(text: string, at: number): number {
  let start = 0;
  for (let i = at; i < at + START; ++i) start = (Math.imul(start, 31) + text.charCodeAt(i)) | 0;
  return start;
}
