// Text that means itself in markdown: characters that would be read as markup are escaped, and no others, so that the
// words stay readable.

const PUNCTUATION = /[\\`*_[\]<~&]/;

export interface Surroundings {
  inLink: boolean;
  inCell: boolean;
}

export function escapeText(text: string, { inLink, inCell }: Surroundings): string {
  const bare = inCell ? text.replace(/\|/g, '\\|') : text;
  if (!PUNCTUATION.test(text)) return bare;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])|`/g, '\\$&')
    .replace(/\*(?=\S)|(?<=\S)\*/g, '\\*')
    .replace(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(inLink ? /[[\]]/g : /\[(?=\^)|\](?=[(:[]|$)/g, '\\$&')
    .replace(inCell ? /\|/g : /$^/, '\\|');
}

// What only means something at the start of a line.
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(#{1,6}|[-+*]|>|=+|-+)(?=\s|$)/, '\\$1')
    .replace(/^>/, '\\>')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(-{3,}|_{3,}|\*{3,}|(- ?){3,})$/, '\\$1');
}

// In as many backticks as the text needs.
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

export function codeBlock(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
