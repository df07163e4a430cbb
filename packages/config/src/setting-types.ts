/** Conversion of the text of an environment variable into a value. */
export interface SettingType<Value> {
  /** Description of accepted texts that completes "expected …". */
  readonly expected: string;
  /** An accepted text. */
  readonly example: string;
  /** Returns the value, or undefined when the text is not accepted. */
  readonly parse: (text: string) => Value | undefined;
}

/** Any non-empty text. */
export const text: SettingType<string> = {
  expected: 'text',
  example: 'some-text',
  parse: (value) => value,
};

/** A TCP port. */
export const port: SettingType<number> = {
  ...wholeNumber({ minimum: 0, maximum: 65_535 }),
  expected: 'a port from 1 to 65535, or 0 for any free one',
  example: '8080',
};

/** `true` or `false`, `1` or `0`, in any case. */
export const boolean: SettingType<boolean> = {
  expected: 'true or false',
  example: 'true',
  parse: (value) => BOOLEANS.get(value.toLowerCase()),
};

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Texts separated by commas; spaces around them are ignored. */
export const list: SettingType<readonly string[]> = {
  expected: 'values separated by commas',
  example: 'one,two',
  parse: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
};

/** A whole number within bounds. */
export function integer(bounds: Bounds): SettingType<number> {
  return { ...wholeNumber(bounds), expected: `a whole number ${inWords(bounds)}` };
}

/** A number within bounds. */
export function number(bounds: Bounds): SettingType<number> {
  return {
    expected: `a number ${inWords(bounds)}`,
    example: String(bounds.minimum),
    parse: (value) => within(bounds, DECIMAL.test(value) ? Number(value) : Number.NaN),
  };
}

/** A duration in whole milliseconds. */
export function durationMs(bounds: Bounds): SettingType<number> {
  return { ...wholeNumber(bounds), expected: `a whole number of milliseconds ${inWords(bounds)}` };
}

/** One of a few words. */
export function oneOf<const Choice extends string>(choices: readonly Choice[]): SettingType<Choice> {
  return {
    expected: `one of ${choices.join(', ')}`,
    example: choices[0] ?? '',
    parse: (value) => choices.find((choice) => choice === value),
  };
}

/** Some of a few words, separated by commas; at least one. */
export function someOf<const Choice extends string>(
  choices: readonly Choice[],
): SettingType<readonly Choice[]> {
  return {
    expected: `one or more of ${choices.join(', ')}, separated by commas`,
    example: choices.join(','),
    parse(value) {
      const items = list.parse(value) ?? [];
      const known = choices.filter((choice) => items.includes(choice));
      return items.length > 0 && items.every((item) => known.some((choice) => choice === item))
        ? known
        : undefined;
    },
  };
}

/** An absolute URL with one of the protocols (`http:`); kept as text, since drivers take it as text. */
export function url(accepted: { protocols: readonly string[]; example: string }): SettingType<string> {
  const { protocols, example } = accepted;
  return {
    expected: `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, with user name and password percent-encoded`,
    example,
    parse: (value) => (isUrl(value, protocols) ? value : undefined),
  };
}

/** Both ends are included. */
interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

const WHOLE = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;

function wholeNumber(bounds: Bounds): SettingType<number> {
  return {
    expected: 'a whole number',
    example: String(bounds.minimum),
    parse: (value) => within(bounds, WHOLE.test(value) ? Number(value) : Number.NaN),
  };
}

function within({ minimum, maximum }: Bounds, value: number): number | undefined {
  return value >= minimum && value <= maximum ? value : undefined;
}

function inWords({ minimum, maximum }: Bounds): string {
  return maximum === Number.POSITIVE_INFINITY ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  // mongodb://a,b/db lists several hosts, which the URL standard does not allow: only the first is checked.
  const withOneHost = value.replace(/^([^:]*:\/\/[^/?#,]*),[^/?#]*/, '$1');
  const parsed = URL.parse(withOneHost);
  return parsed !== null && parsed.hostname !== '' && protocols.includes(parsed.protocol);
}
