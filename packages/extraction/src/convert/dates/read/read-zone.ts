import { isGluedMark, isGluedNumber } from './cursor.ts';
import type { Source } from './source.ts';

/** Offset from UTC after a time, or the name of a zone with more than one offset. */
interface Zone {
  readonly offsetMinutes?: number;
  readonly unreadZone?: string;
}

/** A zone found in a text. */
export interface FoundZone {
  readonly zone: Zone;
  readonly end: number;
}

/** The zones of RFC 2822, in hours. */
const HOURS: ReadonlyMap<string, number> = new Map([
  ...(['Z', 'UT', 'UTC', 'GMT'] as const).map((name) => [name, 0] as const),
  ...([
    ['EST', -5],
    ['EDT', -4],
    ['CST', -6],
    ['CDT', -5],
  ] as const),
  ...([
    ['MST', -7],
    ['MDT', -6],
    ['PST', -8],
    ['PDT', -7],
  ] as const),
]);

/** Abbreviations that are not read: most have several meanings. */
const UNREAD_ZONES: ReadonlySet<string> = new Set(
  (
    'CET CEST MEZ MESZ BST IST MSK MSD JST KST EET EEST WET WEST AEST AEDT ACST ACDT AWST NZST NZDT HKT SGT ICT WIB ' +
    'WITA WIT BRT BRST ART CLT COT PET PKT GST SAST CAT EAT WAT HST AKST AKDT AST ADT NST NDT ET CT MT PT PHT TRT'
  ).split(' '),
);

/** Continents and oceans, with which the names of zones begin. */
const AREAS: ReadonlySet<string> = new Set(
  'Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific'.split(' '),
);

const LARGEST_OFFSET = 14 * 60;

/** Reads "Z", "UTC", "GMT+2", "+02:00", "-0800", "(PDT)", "[Europe/Berlin]". After minutes alone, "-11:00" is the end of a range. */
export function readZone(
  source: Source,
  start: number,
  place: 'after-seconds' | 'after-minutes',
): FoundZone | undefined {
  const opening = /^[([]$/.test(source.tokens[start]?.text ?? '') ? 1 : 0;
  const named = readZoneName(source, start + opening) ?? readPlace(source, start + opening);
  if (named?.zone.offsetMinutes !== 0) return named ?? readOffset(source, start, place);
  return readOffset(source, named.end, 'after-seconds') ?? named;
}

/** Reads the name of a zone alone. */
export function readZoneName({ tokens }: Source, index: number): FoundZone | undefined {
  const token = tokens[index];
  const name = token?.kind === 'word' ? token.cased : '';
  const hours = HOURS.get(name);
  if (hours !== undefined) return { zone: { offsetMinutes: hours * 60 }, end: index + 1 };
  return UNREAD_ZONES.has(name) ? { zone: { unreadZone: name }, end: index + 1 } : undefined;
}

/** Reads the name of a zone in the database of IANA, such as "Europe/Berlin". */
function readPlace({ tokens }: Source, start: number): FoundZone | undefined {
  const [area, mark, city] = tokens.slice(start, start + 3);
  if (!AREAS.has(area?.cased ?? '') || mark?.text !== '/' || city?.kind !== 'word') return undefined;
  return { zone: { unreadZone: `${area?.cased}/${city.cased}` }, end: start + 3 };
}

function readOffset(
  source: Source,
  start: number,
  place: 'after-seconds' | 'after-minutes',
): FoundZone | undefined {
  const { tokens } = source;
  const sign = tokens[start]?.text;
  const digits = tokens[start + 1]?.text ?? '';
  if ((sign !== '+' && sign !== '-') || !isGluedNumber(source, start + 1)) return undefined;
  const hasColon =
    isGluedMark(source, start + 2, ':') && isGluedNumber(source, start + 3) && digits.length <= 2;
  if (sign === '-' && place === 'after-minutes' && digits.length !== 4) return undefined;
  if (digits.length !== 4 && digits.length > 2) return undefined;
  const minutes = hasColon ? (tokens[start + 3]?.text ?? '') : digits.slice(2);
  const distance = Number(digits.slice(0, 2)) * 60 + Number(minutes);
  if (minutes.length > 2 || Number(minutes) > 59 || distance > LARGEST_OFFSET) return undefined;
  return {
    zone: { offsetMinutes: sign === '-' ? 0 - distance : distance },
    end: start + (hasColon ? 4 : 2),
  };
}
