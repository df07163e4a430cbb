import { closest, distance } from 'fastest-levenshtein';
import { createTimeZone, type TimeZone } from './time-zone.ts';
import { timingFault } from './timing-fault.ts';

/** Abbreviations that Node's data know and the IANA database does not: several places use each of them. */
const AMBIGUOUS_NAMES = new Set(
  'act aet agt art ast bet bst cat cnt cst ctt eat ect iet ist jst mit net nst plt pnt prt pst sst vst'.split(
    ' ',
  ),
);

const NAME = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i;
const OFFSET = /^(?:utc|gmt)?\s*(?<sign>[+-])\s*0?(?<hours>\d{1,2})(?::?00)?$/i;
const MAX_TYPING_MISTAKES = 3;

/** The time zones that schedules name, each made once. */
export class TimeZones {
  readonly #zones = new Map<string, TimeZone>();

  /** The zone of an IANA name, in any case. Throws INVALID_REQUEST for anything else, with a name that may be meant. */
  find(name: string): TimeZone {
    const key = name.toLowerCase();
    const zone = this.#zones.get(key) ?? open(name);
    this.#zones.set(key, zone);
    return zone;
  }
}

function open(name: string): TimeZone {
  try {
    if (isIanaName(name)) return createTimeZone(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw timingFault(
    'timezone',
    `is not an IANA time zone: "${name.slice(0, 60)}"`,
    `Give a name such as Europe/Berlin, America/New_York or UTC${suggest(name)}.`,
  );
}

function isIanaName(name: string): boolean {
  const key = name.toLowerCase();
  return NAME.test(name) && !AMBIGUOUS_NAMES.has(key) && !key.startsWith('systemv/');
}

function suggest(name: string): string {
  const { sign, hours } = OFFSET.exec(name)?.groups ?? {};
  if (hours !== undefined) return suggestOffset(sign === '-' ? -Number(hours) : Number(hours));
  const near = findSimilar(name.trim().replaceAll(' ', '_').toLowerCase());
  return near === undefined ? '' : `; did you mean ${near}?`.slice(0, -1);
}

/** The signs of these zones are the other way round (tzdata, file etcetera). */
function suggestOffset(hours: number): string {
  if (hours === 0 || hours > 14 || hours < -12) return '';
  const name = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  return `; the zone that is always ${Math.abs(hours)} h ${hours > 0 ? 'ahead of' : 'behind'} UTC is ${name}`;
}

function findSimilar(name: string): string | undefined {
  if (name === '') return undefined;
  const names = Intl.supportedValuesOf('timeZone');
  const city = names.find((candidate) => candidate.toLowerCase().endsWith(`/${name}`));
  if (city) return city;
  const similar = closest(
    name.slice(0, 60),
    names.map((candidate) => candidate.toLowerCase()),
  );
  if (distance(name, similar) > MAX_TYPING_MISTAKES) return undefined;
  return names.find((candidate) => candidate.toLowerCase() === similar);
}
