/** Returns the cell of a value: nothing for a missing one, a text as it is, and JSON for lists and records. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(unexecutable(value));
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Returns a record of cells (RFC 4180, section 2), which ends in CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** Disarms texts that spreadsheets would run as formulas (https://owasp.org/www-community/attacks/CSV_Injection). */
function unexecutable(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
