/** Renders one record of RFC 4180. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? unexecutable(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Disarms texts that spreadsheets would run as formulas (https://owasp.org/www-community/attacks/CSV_Injection). */
function unexecutable(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
