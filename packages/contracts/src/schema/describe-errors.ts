import { closest, distance } from 'fastest-levenshtein';
import type { TSchema } from 'typebox';
import type { ErrorDetail } from '../errors/app-error.ts';
import { alternativesOf, type FoundError, findErrors, type Part, type Place } from './find-errors.ts';

/**
 * `exact` checks values as they are (JSON bodies); `from-text` parses them from text first (query strings); `open` allows
 * fields that the schema does not know, as a later version of another service may send them (messages).
 */
export type Reading = 'exact' | 'from-text' | 'open';

/** Most characters of the path of an error; a longer one is cut. */
const MAX_PATH = 500;
/** Longest name that is compared with the known ones. */
const MAX_NAME = 100;

/** Describes errors of a value that the schema rejects in plain words. */
export function describeErrors(schema: TSchema, value: unknown, reading: Reading): ErrorDetail[] {
  const found = findErrors(schema, value, { isOpen: reading === 'open' });
  if (found.length === 0) throw new Error('A keyword that is not known here rejects the value.');
  return found.map((error) => describe(error, reading));
}

/** Returns the known name that was probably meant, or undefined if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const nearest = closest(name, known);
  const edits = distance(name, nearest);
  return edits < name.length && edits <= Math.max(2, nearest.length / 3) ? nearest : undefined;
}

function describe(error: FoundError, reading: Reading): ErrorDetail {
  const { keyword, part, name = '' } = error;
  const path = namesOf(error.at);
  if (keyword === 'required') return { path: pathOf([...path, name]), message: 'is required' };
  if (keyword === 'oneOf' || keyword === 'not') {
    const isGiven = (alternative: string) => Object.hasOwn(Object(error.value), alternative);
    const [first = '', ...others] = alternativesOf(part).filter(
      (each) => keyword === 'oneOf' || isGiven(each),
    );
    return keyword === 'oneOf'
      ? { path: pathOf([...path, first]), message: `is required, or ${others.join(' or ')} in its place` }
      : {
          path: pathOf([...path, ...others.slice(0, 1)]),
          message: `must be left out when ${first} is given`,
        };
  }
  if (keyword === 'additionalProperties') {
    return { path: pathOf([...path, name]), message: unknownField(name, part) };
  }
  return { path: pathOf(path), message: messageOf(error, reading) };
}

function namesOf(place: Place | undefined): string[] {
  const names: string[] = [];
  for (let at = place; at; at = at.outer) names.push(at.name);
  return names.toReversed();
}

function pathOf(names: readonly string[]): string {
  const path = names.join('.');
  return path.length > MAX_PATH ? `${cutText(path, MAX_PATH)}…` : path;
}

function unknownField(name: string, { properties = {} }: Part): string {
  const known = Object.keys(properties);
  if (known.length === 0) return 'is not a known field';
  const meant = nearestName(name, known);
  if (meant !== undefined) return `is not a known field; did you mean "${meant}"?`;
  return `is not a known field. Known: ${known.join(', ')}`;
}

function messageOf(error: FoundError, reading: Reading): string {
  const { keyword, part, value } = error;
  const expected = part['x-expected'];
  if (expected !== undefined) return `must be ${expected}${withHyphens(error)}`;
  const limit = Number(part[keyword]);
  switch (keyword) {
    case 'type': {
      const given = typeof value === 'number' ? value : nameOf(value, reading);
      const wanted = part.enum
        ? oneOf(part.enum.map(String), value)
        : `must be ${withArticle(`${part.type}`)}`;
      return `${wanted}, not ${given}`;
    }
    case 'enum':
      return oneOf(part.enum?.map(String) ?? [], value);
    case 'const':
      return `must be ${JSON.stringify(part.const)}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return `must have at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'minProperties':
      return `must have at least ${limit} ${limit === 1 ? 'field' : 'fields'}`;
    case 'maxProperties':
      return `must have at most ${limit} ${limit === 1 ? 'field' : 'fields'}`;
    case 'uniqueItems':
      return 'must not hold the same entry twice';
    case 'format':
      return part.format === 'date'
        ? 'must be a day of the calendar such as 2026-01-31'
        : 'must be a timestamp of a day and time that exist, such as 2026-01-31T12:00:00Z';
    default:
      return 'is not valid';
  }
}

/** Advises hyphens where only underscores are wrong, as in the language tag `de_DE`. */
function withHyphens({ keyword, part: { pattern }, value }: FoundError): string {
  if (keyword !== 'pattern' || pattern === undefined || typeof value !== 'string') return '';
  const hyphenated = value.replaceAll('_', '-');
  return new RegExp(pattern, 'u').test(hyphenated) ? `, not "${value}"; write "${hyphenated}"` : '';
}

function oneOf(allowed: readonly string[], value: unknown): string {
  const meant = typeof value === 'string' ? nearestName(value, allowed) : undefined;
  const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return `must be one of: ${allowed.join(', ')}${question}`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Most characters of a text that are quoted. */
const MAX_QUOTED = 20;

/** Names a value by its type; the text of a query, which is always a string, by its content. */
function nameOf(value: unknown, reading: Reading): string {
  if (reading !== 'from-text' || typeof value !== 'string') return typeName(value);
  return JSON.stringify(value.length > MAX_QUOTED ? `${cutText(value, MAX_QUOTED)}…` : value);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : withArticle(typeof value);
}

/** Returns the beginning of a text, at most so many characters, without half of a surrogate pair at its end. */
export function cutText(text: string, maxChars: number): string {
  const cut = text.slice(0, maxChars);
  return cut.length < text.length ? cut.replace(/[\ud800-\udbff]$/, '') : cut;
}
