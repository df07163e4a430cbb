const LEVELS_WITH_STACK = new Set(['error', 'fatal']);

/** Formats a JSON log line for people: time, level, message, other fields; the stack of an error below. */
export function formatLine(line: string): string {
  const { time, level, service, instance, msg, err, ...fields } = JSON.parse(line) as LogRecord;
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  // An error with a suggestion is written for operators: its stack would not help.
  const stack = err?.stack && !err.suggestion && LEVELS_WITH_STACK.has(level) ? `\n${err.stack}` : '';
  const clock = time.slice('2026-01-01T'.length, -1);
  return `${clock} ${level.toUpperCase().padEnd(5)} ${service} ${msg ?? ''}${details.join('')}${stack}\n`;
}

interface LogRecord {
  readonly time: string;
  readonly level: string;
  readonly service: string;
  readonly instance: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly suggestion?: string };
  readonly [field: string]: unknown;
}
