// Rows of (figure, baseline, ratio, aim), as a table and as JSON: the same form that bench/report.h has for the
// benchmarks in C++. A ratio is value / baseline: 0.5 means half of the baseline.
//
//   row = { name, value, unit, baseline: { name, value }, aim: { of: 'value' | 'ratio', atMost } }
//
// A row may have no baseline and no aim; a value that could not be measured is undefined.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function ratioOf({ value, baseline }) {
  if (value === undefined || !baseline?.value) return undefined;
  return value / baseline.value;
}

// Undefined without an aim; false when there is an aim and nothing to hold against it.
export function isMet(row) {
  if (!row.aim) return undefined;
  const number = row.aim.of === 'ratio' ? ratioOf(row) : row.value;
  return number !== undefined && number <= row.aim.atMost;
}

function aimText({ of, atMost }) {
  return `${of} <= ${atMost}`;
}

function rowToJson(row) {
  const short = number => number === undefined ? null : Number(number.toPrecision(6));
  return JSON.stringify({
    name: row.name,
    value: short(row.value),
    unit: row.unit,
    baseline: short(row.baseline?.value),
    against: row.baseline?.name ?? null,
    ratio: short(ratioOf(row)),
    aim: row.aim ? aimText(row.aim) : null,
    met: isMet(row) ?? null,
  });
}

export function formatJson(rows) {
  return `[\n  ${rows.map(rowToJson).join(',\n  ')}\n]\n`;
}

// Three or four significant digits, "-" when absent.
function formatNumber(number) {
  if (number === undefined) return '-';
  const size = Math.abs(number);
  if (size !== 0 && size < 0.001) return number.toExponential(1);
  return number.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

function rowToCells(row) {
  const met = isMet(row);
  return [
    row.name,
    formatNumber(row.value),
    row.unit,
    row.baseline ? formatNumber(row.baseline.value) : '',
    row.baseline?.name ?? '',
    row.baseline ? formatNumber(ratioOf(row)) : '',
    row.aim ? aimText(row.aim) : '',
    met === undefined ? '' : met ? 'yes' : 'NO',
  ];
}

// Lines up cells in columns: the first column to the left, the others to the right.
export function formatGrid(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map(line => line[column].length)));
  const pad = (cell, column) => column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]);
  return lines.map(line => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

export function formatTable(rows) {
  const head = ['figure', 'value', 'unit', 'baseline', 'against', 'ratio', 'aim', 'met'];
  return formatGrid([head, ...rows.map(rowToCells)]);
}

export function writeJson(path, rows) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, formatJson(rows));
}
