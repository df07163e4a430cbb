import QuickLRU from 'quick-lru';
import { type Mark, type Numeral, otherMark } from './numeral.ts';

/** Sources of the convention of a field's numbers, the strongest first. */
export interface Conventions {
  /** Convention of the locale that the caller has named. */
  readonly requested: Convention | undefined;
  /** The convention that other values of the field prove. */
  readonly proved: ProvedConvention;
  /** Convention of the page's language. */
  readonly page: Convention | undefined;
}

/** Separators that the values of a field prove. */
export interface ProvedConvention {
  /** The decimal mark of all values that prove one, if they agree. */
  readonly decimal: Mark | undefined;
  readonly hasSpaces: boolean;
}

/** Reason to doubt a reading. */
export type Doubt =
  /** Another reading is as likely, and nothing decides. */
  | 'undecided'
  /** The text can be read in one way only, and the requested locale writes numbers in another. */
  | 'contradicts locale'
  /** Other values of the field show another convention than the locale that decided. */
  | 'contradicts values'
  /** A space may separate groups of digits, or two numbers. */
  | 'space';

/** The chosen reading: a decimal literal without a sign. */
export interface ChosenReading {
  readonly literal: string;
  /** The reading that was not chosen. */
  readonly alternative?: string | undefined;
  readonly doubt?: Doubt | undefined;
  /** True if the requested locale decided between two readings. */
  readonly isRequested: boolean;
}

/** Returns what the numbers of a field prove about its convention: nothing about marks that they disagree about. */
export function provedConvention(numerals: readonly Numeral[]): ProvedConvention {
  const marks = new Set(numerals.flatMap(({ proved }) => (proved ? [proved] : [])));
  const [decimal] = marks;
  return {
    decimal: marks.size === 1 ? decimal : undefined,
    hasSpaces: numerals.some(({ spaces }) => spaces === 'certain'),
  };
}

/** Chooses the reading of a number, or returns undefined if it has none. */
export function chooseReading(numeral: Numeral, conventions: Conventions): ChosenReading | undefined {
  if (numeral.disputed !== undefined) return decideMark(numeral, numeral.disputed, conventions);
  const literal = numeral.decimal ?? numeral.grouped;
  if (literal === undefined) return undefined;
  const { requested } = conventions;
  if (requested && numeral.proved !== undefined && numeral.proved !== requested.decimal) {
    return { literal, doubt: 'contradicts locale', isRequested: false };
  }
  return { literal, doubt: doubtSpace(numeral, conventions), isRequested: false };
}

function decideMark(
  { grouped = '', decimal = '' }: Numeral,
  mark: Mark,
  { requested, proved, page }: Conventions,
): ChosenReading {
  const fromRequest = requested && decimalMarkFor(mark, requested);
  const fromPage = page && decimalMarkFor(mark, page);
  const chosen = fromRequest ?? proved.decimal ?? fromPage;
  const isDecimal = chosen === mark;
  const weaker = fromRequest ? proved.decimal : proved.decimal && fromPage;
  const doubt = doubtMark(chosen, weaker);
  return {
    literal: isDecimal ? decimal : grouped,
    alternative: isDecimal ? grouped : decimal,
    doubt,
    isRequested: fromRequest !== undefined,
  };
}

/** Returns the decimal mark of a convention that knows the given mark, or undefined. */
function decimalMarkFor(mark: Mark, { decimal, groups }: Convention): Mark | undefined {
  if (mark === decimal) return mark;
  return groups.includes(mark) ? otherMark(mark) : undefined;
}

function doubtMark(chosen: Mark | undefined, weaker: Mark | undefined): Doubt | undefined {
  if (chosen === undefined) return 'undecided';
  return weaker !== undefined && weaker !== chosen ? 'contradicts values' : undefined;
}

function doubtSpace({ spaces }: Numeral, { requested, proved, page }: Conventions): Doubt | undefined {
  if (spaces === 'doubtful') return 'space';
  if (spaces !== 'single' || proved.hasSpaces) return undefined;
  const isGroup = (requested ?? page)?.groups.includes(' ') ?? false;
  return isGroup ? undefined : 'space';
}

/** Separators of a locale. */
interface Convention {
  readonly decimal: Mark;
  /** Separators of groups, such as `.`, `'` or a space; never the decimal mark. */
  readonly groups: string;
}

/** Style of numbers: some locales write other separators in prices. */
export type NumberStyle = 'decimal' | 'currency';

const conventions = new QuickLRU<string, Convention | undefined>({ maxSize: 64 });

/** Returns the separators that CLDR has for a language tag, or undefined for a tag that it does not know. */
export function conventionOf(tag: string, style: NumberStyle): Convention | undefined {
  const key = `${style} ${tag}`;
  if (conventions.has(key)) return conventions.get(key);
  const locale = supportedLocale(tag);
  const convention = locale === undefined ? undefined : readConvention(locale, style);
  conventions.set(key, convention);
  return convention;
}

const supported = new QuickLRU<string, string | undefined>({ maxSize: 64 });

/** Returns the tag in its canonical form, or undefined if ICU has no data for it. Pages write `de_DE`, too. */
export function supportedLocale(tag: string): string | undefined {
  if (tag.length > 35) return undefined;
  if (!supported.has(tag)) supported.set(tag, askForLocale(tag));
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
