/** Replacement for a secret. */
const REDACTED = '[redacted]';

/** Names of fields whose whole value is a secret; matched against the name without `-` and `_`. */
const SECRET_FIELD = /^(?:set)?cookies?$|(?:authorization|passw(?:or)?d|secret|token|apikey|credential)s?$/i;

/** Patterns of secrets inside texts, with their replacements. Repeats are bounded, so that no text takes long. */
const SECRET_TEXTS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Our own API keys, tokens of sessions and webhook secrets; a key's display prefix is shorter and stays.
  [/gl(s?)_[\w-]{16,}/g, `gl$1_${REDACTED}`],
  [/whsec_[\w+/=-]+/g, `whsec_${REDACTED}`],
  // Header lines and inspected header objects.
  [/((?:set-)?cookie2?['"]?\s{0,4}[:=]\s{0,4}['"]?)[^'"\r\n]+/gi, `$1${REDACTED}`],
  [/(authorization['"]?\s{0,4}[:=]\s{0,4}['"]?)[^'"\r\n,}]+/gi, `$1${REDACTED}`],
  [/\b([Bb]earer|[Bb]asic|[Dd]igest)\s{1,4}(?=[\w.~+/-]{0,512}[\dA-Z=])[\w.~+/=-]{8,}/g, `$1 ${REDACTED}`],
  // User name and password of a URL, also where the password holds an unescaped slash.
  [/(:\/\/)[^\s/?#"'<>]{1,512}@/g, `$1${REDACTED}@`],
  [/(:\/\/)[^\s/?#:@"'<>]{0,256}:(?!\d{1,5}[/?#])[^\s"'<>]{1,256}@/g, `$1${REDACTED}@`],
  // Parameters of a URL that carry keys by their names.
  [
    /([?&;][\w.%[\]-]{0,40}(?:token|secret|passw(?:or)?d|pwd|api[_-]?key|signature|credential)s?=)[^&#\s"'<>]+/gi,
    `$1${REDACTED}`,
  ],
  [/([?&;](?:key|sig|auth|session|ticket)=)[^&#\s"'<>]+/gi, `$1${REDACTED}`],
];

/**
 * Returns a copy of a text, or of JSON-like data at any depth, without secrets: API keys, webhook secrets, authorization,
 * cookies, and the user names, passwords and key parameters of URLs.
 */
export function redact<Value>(value: Value): Value {
  return redactAny(value) as Value;
}

function redactAny(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactAny);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(redactField));
}

function redactField([name, value]: [string, unknown]): [string, unknown] {
  const isSecret = SECRET_FIELD.test(name.replaceAll(/[-_]/g, ''));
  return [redactText(name), isSecret && value !== null ? REDACTED : redactAny(value)];
}

function redactText(text: string): string {
  return SECRET_TEXTS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

/** Matches the JSON of every secret; most lines do not match and are not searched further. */
const SECRET_HINT =
  /gl[fs]?_|whsec_|cookie|authorization|bearer|basic|digest|:\/\/[^\s]{1,512}@|[?&;](?:key|sig|auth|session|ticket)=|api[-_]?key|passw|pwd|token|secret|signature|credential/i;

/** Redacts a line of JSON; a line without secrets costs a single scan. */
export function redactLine(line: string): string {
  return SECRET_HINT.test(line) ? `${JSON.stringify(redact(JSON.parse(line)))}\n` : line;
}
