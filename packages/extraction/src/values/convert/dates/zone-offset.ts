const LONG_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The formats of the zones used lately; a document names few. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 64;

/**
 * Returns the minutes that a zone's clocks are ahead of UTC at a moment, or undefined when the zone is unknown. Zones had
 * seconds before they had standard time; these are rounded.
 */
export function offsetAt(instant: number, zone: string): number | undefined {
  if (zone === 'UTC') return 0;
  const format = formatOf(zone);
  if (!format) return undefined;
  const [, sign, hours, minutes, seconds] = LONG_OFFSET.exec(format.format(instant)) ?? [];
  if (sign === undefined) return 0;
  const distance = Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds ?? 0) / 60);
  return sign === '-' ? -distance : distance;
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known) return known;
  if (formats.size >= MAX_FORMATS) formats.clear();
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
}
