// Tables as GFM writes them. A cell over several columns stands in the first of them; one over several rows is told in each,
// so that every row can be read on its own.

import { attr, checkVisibility, queryScope, tagOf } from '../dom';
import { oneLine } from './blocks';

const MAX_COLUMNS = 64;
const MAX_ROWS_DOWN = 1000;
// What is longer is told once: a page must not grow by being read.
const MAX_REPEATED = 200;

interface Row {
  cells: string[];
  isHeader: boolean;
}

export type ReadCell = (cell: Element) => string;

// Tables were once the way to lay out a page; such a one is not a table of facts.
export function isLayout(table: HTMLTableElement): boolean {
  const role = attr(table, 'role');
  if (role === 'presentation' || role === 'none' || table.rows.length === 0) return true;
  if (table.tHead || table.caption || queryScope(table, 'th').length > 0) return false;
  if (queryScope(table, 'table').length > 0) return true;
  const columns = Math.max(...Array.from(table.rows, (row) => row.cells.length));
  return columns < 2 || (table.rows.length < 2 && queryScope(table, 'p, div, ul, ol, h1, h2, h3, h4').length > 0);
}

// Code beside its line numbers is laid out as a table by some highlighters.
export function codeCell(table: HTMLTableElement): Element | null {
  const blocks = queryScope(table, 'td.code pre, td.rouge-code pre, td.blob-code pre');
  return blocks.length === 1 ? blocks[0]! : null;
}

export function tableText(table: HTMLTableElement, read: ReadCell): string {
  const rows = rowsOf(table, read);
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...rows.map(({ cells }) => cells.length)));
  const heads = headerCount(rows);
  const body = rows.slice(heads).map(({ cells }) => cells).filter((cells) => cells.some((cell) => cell !== ''));
  const header = joinHeaders(rows.slice(0, heads), width);
  if (width === 0 || (body.length === 0 && header.every((cell) => cell === ''))) return '';
  return [header, Array<string>(width).fill('---'), ...body].map((cells) => line(cells, width)).join('\n');
}

function headerCount(rows: readonly Row[]): number {
  let count = 0;
  while (count < rows.length && rows[count]!.isHeader) ++count;
  // A table of nothing but header cells has one row of them.
  return count === rows.length ? Math.min(1, count) : count;
}

// Headers over several rows read from the group down.
function joinHeaders(rows: readonly Row[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => {
    const parts = rows.map(({ cells }) => cells[column] ?? '').filter((part) => part !== '');
    return parts.filter((part, at) => part !== parts[at - 1]).join(' / ');
  });
}

function line(cells: readonly string[], width: number): string {
  return `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`;
}

function rowsOf(table: HTMLTableElement, read: ReadCell): Row[] {
  const rows: Row[] = [];
  let section: Element | null = null;
  let above: { text: string; rows: number }[] = [];
  for (const row of table.rows) {
    if (!checkVisibility(row)) continue;
    // Cells do not hang over the end of their section.
    if (row.parentElement !== section) above = [];
    section = row.parentElement;
    const isHeader = isHeaderRow(row);
    rows.push({ cells: spread(row, above, isHeader, read), isHeader });
  }
  return rows;
}

function isHeaderRow(row: HTMLTableRowElement): boolean {
  if (row.parentElement && tagOf(row.parentElement) === 'thead') return true;
  return row.cells.length > 1 && Array.from(row.cells).every((cell) => tagOf(cell) === 'th');
}

function spread(row: HTMLTableRowElement, above: { text: string; rows: number }[], isHeader: boolean, read: ReadCell): string[] {
  const cells: string[] = [];
  const fromAbove = (): void => {
    for (let at = above[cells.length]; at && at.rows > 0; at = above[cells.length]) {
      --at.rows;
      cells.push(at.text);
    }
  };
  for (const cell of row.cells) {
    fromAbove();
    if (!checkVisibility(cell)) continue;
    const text = oneLine(read(cell));
    const down = Math.min(MAX_ROWS_DOWN, cell.rowSpan === 0 ? MAX_ROWS_DOWN : cell.rowSpan - 1);
    for (let i = 0; i < Math.min(cell.colSpan, MAX_COLUMNS); ++i) {
      const again = text.length <= MAX_REPEATED ? text : '';
      const part = i === 0 ? text : isHeader ? again : '';
      above[cells.length] = { text: i === 0 || isHeader ? again : '', rows: down };
      cells.push(part);
    }
  }
  fromAbove();
  return cells;
}
