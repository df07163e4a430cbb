import type { Mark } from './numeral.ts';

/** Separators of a locale. */
export interface Convention {
  readonly decimal: Mark;
  /** Separators of groups, such as `.`, `'` or a space; never the decimal mark. */
  readonly groups: string;
}

/** Style of numbers: some locales write other separators in prices. */
export type NumberStyle = 'decimal' | 'currency';

const MAX_CACHED = 64;

const conventions = new Map<string, Convention | undefined>();

/** Returns the separators that CLDR has for a language tag, or undefined for a tag that it does not know. */
export function conventionOf(tag: string, style: NumberStyle): Convention | undefined {
  const key = `${style} ${tag}`;
  if (conventions.has(key)) return conventions.get(key);
  const locale = supportedLocale(tag);
  const convention = locale === undefined ? undefined : readConvention(locale, style);
  if (conventions.size >= MAX_CACHED) conventions.clear();
  conventions.set(key, convention);
  return convention;
}

const supported = new Map<string, string | undefined>();

/** Returns the tag in its canonical form, or undefined if ICU has no data for it. Pages write `de_DE`, too. */
export function supportedLocale(tag: string): string | undefined {
  if (tag.length > 35) return undefined;
  if (!supported.has(tag)) {
    if (supported.size >= MAX_CACHED) supported.clear();
    supported.set(tag, askForLocale(tag));
  }
  return supported.get(tag);
}

function askForLocale(tag: string): string | undefined {
  try {
    const { baseName } = new Intl.Locale(tag.trim().replaceAll('_', '-'));
    return Intl.NumberFormat.supportedLocalesOf(baseName)[0];
  } catch {
    return undefined; // not a language tag
  }
}

function readConvention(locale: string, style: NumberStyle): Convention {
  const own = separatorsOf(locale, style);
  const other = separatorsOf(locale, style === 'decimal' ? 'currency' : 'decimal');
  const groups = own.group + other.group;
  return { decimal: own.decimal, groups: groups.replaceAll(own.decimal, '') };
}

/** Asks for ASCII digits: the other digits of a language have separators with one meaning only. */
function separatorsOf(locale: string, style: NumberStyle): { decimal: Mark; group: string } {
  const format = new Intl.NumberFormat(locale, {
    style,
    ...(style === 'currency' ? { currency: 'EUR' } : {}),
    minimumFractionDigits: 1,
    numberingSystem: 'latn',
  });
  const parts = new Map(format.formatToParts(1_234_567.8).map(({ type, value }) => [type, value]));
  const group = parts.get('group') ?? '';
  return { decimal: parts.get('decimal') === ',' ? ',' : '.', group: plainGroup(group) };
}

function plainGroup(group: string): string {
  if (/\s/.test(group)) return ' ';
  return group === '’' ? "'" : group;
}
