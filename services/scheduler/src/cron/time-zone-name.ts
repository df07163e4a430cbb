import { closest, distance } from 'fastest-levenshtein';
import { timingError } from './timing-error.ts';

/** Abbreviations that Node accepts and the IANA database does not have: each is used in several places. */
const AMBIGUOUS_NAMES = new Set(
  'act aet agt art ast bet bst cat cnt cst ctt eat ect iet ist jst mit net nst plt pnt prt pst sst vst'.split(
    ' ',
  ),
);

const NAME = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i;
const OFFSET = /^(?:utc|gmt)?\s*(?<sign>[+-])\s*0?(?<hours>\d{1,2})(?::?00)?$/i;
const MAX_TYPING_ERRORS = 3;

/**
 * Returns the name of a time zone, given in any case, as the IANA database spells it. Aliases are kept, since Node would
 * replace Asia/Kolkata with the older Asia/Calcutta. Throws INVALID_REQUEST for anything else, and suggests a similar
 * name.
 */
export function timeZoneName(name: string): string {
  const resolved = isIanaName(name) ? resolve(name) : undefined;
  if (resolved !== undefined) return resolved.toLowerCase() === name.toLowerCase() ? resolved : spell(name);
  throw timingError(
    'timezone',
    `is not an IANA time zone: "${name.slice(0, 60)}"`,
    `Give a name such as Europe/Berlin, America/New_York or UTC${suggest(name)}.`,
  );
}

function isIanaName(name: string): boolean {
  const key = name.toLowerCase();
  return NAME.test(name) && !AMBIGUOUS_NAMES.has(key) && !key.startsWith('systemv/');
}

/** Returns Node's name for the zone, or undefined if its time zone data do not have it. */
function resolve(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Aliases that the rules of `spell` would spell wrong. */
const IRREGULAR_NAMES = [
  'America/Argentina/ComodRivadavia',
  'America/Knox_IN',
  'Australia/ACT',
  'Australia/LHI',
  'Australia/NSW',
  'Brazil/DeNoronha',
  'Chile/EasterIsland',
  'GB-Eire',
  'Mexico/BajaNorte',
  'Mexico/BajaSur',
];
const ABBREVIATION = /^(?:etc\/)?(?:[a-z]{2,3}|[a-z_]*\d\w*|(?:gmt|w|nz)[+-]\w+)$/;

/** Spells an alias as the IANA database does: words capitalized, abbreviations in capitals. */
function spell(name: string): string {
  const key = name.toLowerCase();
  const irregular = IRREGULAR_NAMES.find((known) => known.toLowerCase() === key);
  if (irregular) return irregular;
  if (ABBREVIATION.test(key)) return key.toUpperCase().replace('ETC/', 'Etc/');
  return key
    .replaceAll(/(?<=^|[/_-])(?!(?:au|es|of)[_-])[a-z]/g, (letter) => letter.toUpperCase())
    .replace('Us/', 'US/');
}

function suggest(name: string): string {
  const { sign, hours } = OFFSET.exec(name)?.groups ?? {};
  if (hours !== undefined) return suggestOffset(sign === '-' ? -Number(hours) : Number(hours));
  const similar = findSimilar(name.trim().replaceAll(' ', '_').toLowerCase());
  return similar === undefined ? '' : `; the nearest name is ${similar}`;
}

/** Suggests a zone of a fixed offset. Their signs are inverted: Etc/GMT-2 is ahead of UTC (tzdata, file etcetera). */
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
  if (distance(name, similar) > MAX_TYPING_ERRORS) return undefined;
  return names.find((candidate) => candidate.toLowerCase() === similar);
}
