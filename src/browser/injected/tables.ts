// Tables as rows of text: native ones with their spans spread out, and those made of ARIA roles.

import { describe } from './describe';
import { matchesCss, queryDeep, tagOf } from './dom';
import { readLine } from './reading';
import { type Failure, fail } from './result';
import { roleOf } from './aria/roles';

export interface TableReading {
  caption?: string;
  headers: string[];
  rows: string[][];
  total_rows: number;
  truncated: boolean;
}

export interface Bounds {
  limit: number; // rows or items
  maxChars: number; // in all
}

interface Line {
  cells: string[];
  isHeader: boolean;
}

const MAX_SPAN = 1000;
const MAX_CELL = 2000;
const ARIA_TABLE = '[role=table], [role=grid], [role=treegrid]';

// Must run inside cached().
export function readTable(el: Element, bounds: Bounds): TableReading | Failure {
  const table = tableIn(el);
  if (!table) return fail('wrong_element', `${describe(el)} is not a table`);
  const native = table instanceof HTMLTableElement;
  const rows = (native ? Array.from(table.rows) : queryDeep(table, '[role=row]')).filter((row) => row.checkVisibility());
  const lines = native ? nativeLines(rows as HTMLTableRowElement[], bounds) : ariaLines(rows, bounds);
  const caption = native && table.caption ? readLine(table.caption, MAX_CELL) : '';
  return { ...(caption && { caption }), ...assemble(lines, rows.length) };
}

// The element itself or the only table in it.
function tableIn(el: Element): Element | null {
  if (isTable(el)) return el;
  const inside = queryDeep(el, `table, ${ARIA_TABLE}`);
  return inside.length === 1 ? inside[0]! : null;
}

function isTable(el: Element): boolean {
  return el instanceof HTMLTableElement || matchesCss(el, ARIA_TABLE);
}

function assemble(lines: Line[], rowsInAll: number): Omit<TableReading, 'caption'> {
  let count = 0;
  while (count < lines.length && lines[count]!.isHeader) ++count;
  // A table of nothing but header cells has no header.
  if (count === lines.length && count === rowsInAll) count = 0;
  const rows = lines.slice(count).map((line) => line.cells);
  const total = rowsInAll - count;
  return { headers: joinHeaders(lines.slice(0, count)), rows, total_rows: total, truncated: rows.length < total };
}

// Headers over several rows read from the group down: "Price / Net".
function joinHeaders(lines: Line[]): string[] {
  const width = Math.max(0, ...lines.map((line) => line.cells.length));
  return Array.from({ length: width }, (_, column) => {
    const parts = lines.map((line) => line.cells[column] ?? '').filter((part) => part !== '');
    return parts.filter((part, at) => part !== parts[at - 1]).join(' / ');
  });
}

function nativeLines(rows: HTMLTableRowElement[], bounds: Bounds): Line[] {
  const lines: Line[] = [];
  const meter = new Meter(bounds);
  let section: Element | null = null;
  let hanging = new HangingCells();
  for (const row of rows) {
    if (meter.isFull()) break;
    // Cells do not hang over the end of their section.
    if (row.parentElement !== section) hanging = new HangingCells();
    section = row.parentElement;
    const isHeader = isHeaderRow(row);
    lines.push({ cells: hanging.spread(row, (cell) => meter.read(cell)), isHeader });
    meter.endRow(isHeader);
  }
  return lines;
}

function isHeaderRow(row: HTMLTableRowElement): boolean {
  if (row.parentElement && tagOf(row.parentElement) === 'thead') return true;
  return row.cells.length > 0 && Array.from(row.cells).every((cell) => tagOf(cell) === 'th');
}

function ariaLines(rows: Element[], bounds: Bounds): Line[] {
  const lines: Line[] = [];
  const meter = new Meter(bounds);
  for (const row of rows) {
    if (meter.isFull()) break;
    const cells = queryDeep(row, '[role=cell], [role=gridcell], [role=columnheader], [role=rowheader], td, th');
    const isHeader = cells.length > 0 && cells.every((cell) => roleOf(cell) === 'columnheader');
    lines.push({ cells: cells.map((cell) => meter.read(cell)), isHeader });
    meter.endRow(isHeader);
  }
  return lines;
}

// Reads cells while there is room left.
class Meter {
  private rows = 0;
  private chars = 0;

  constructor(private readonly bounds: Bounds) {}

  read(cell: Element): string {
    const text = readLine(cell, Math.min(MAX_CELL, Math.max(0, this.bounds.maxChars - this.chars)));
    this.chars += text.length;
    return text;
  }

  endRow(isHeader: boolean): void {
    if (!isHeader) ++this.rows;
  }

  isFull(): boolean {
    return this.rows >= this.bounds.limit || this.chars >= this.bounds.maxChars;
  }
}

// Cells that reach down into the rows below them.
class HangingCells {
  private readonly columns: { text: string; rows: number }[] = [];

  spread(row: HTMLTableRowElement, read: (cell: Element) => string): string[] {
    const line: string[] = [];
    for (const cell of row.cells) {
      this.fillFromAbove(line);
      const text = read(cell);
      const below = cell.rowSpan === 0 ? Infinity : cell.rowSpan - 1;
      for (let i = 0; i < Math.min(cell.colSpan, MAX_SPAN); ++i) {
        this.columns[line.length] = { text, rows: below };
        line.push(text);
      }
    }
    this.fillFromAbove(line);
    return line;
  }

  private fillFromAbove(line: string[]): void {
    for (let above = this.columns[line.length]; above && above.rows > 0; above = this.columns[line.length]) {
      --above.rows;
      line.push(above.text);
    }
  }
}
