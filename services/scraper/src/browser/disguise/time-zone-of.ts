/** The zone in which most people live, for countries with several time zones. */
const MAIN_ZONES: Readonly<Record<string, string>> = {
  ar: 'America/Argentina/Buenos_Aires',
  au: 'Australia/Sydney',
  br: 'America/Sao_Paulo',
  ca: 'America/Toronto',
  cd: 'Africa/Kinshasa',
  cl: 'America/Santiago',
  cn: 'Asia/Shanghai',
  cy: 'Asia/Nicosia',
  de: 'Europe/Berlin',
  ec: 'America/Guayaquil',
  es: 'Europe/Madrid',
  gb: 'Europe/London',
  id: 'Asia/Jakarta',
  kz: 'Asia/Almaty',
  mn: 'Asia/Ulaanbaatar',
  mx: 'America/Mexico_City',
  my: 'Asia/Kuala_Lumpur',
  nz: 'Pacific/Auckland',
  pt: 'Europe/Lisbon',
  ru: 'Europe/Moscow',
  ua: 'Europe/Kyiv',
  us: 'America/New_York',
  uz: 'Asia/Tashkent',
  vn: 'Asia/Ho_Chi_Minh',
};

/** Returns the time zone of a country by its lower-case code; undefined for unknown codes. */
export function timeZoneOf(country: string): string | undefined {
  if (!/^[a-z]{2}$/.test(country)) return undefined;
  const { region } = new Intl.Locale(`und-${country}`);
  return MAIN_ZONES[country] ?? zonesOf(`und-${region}`)[0];
}

/** https://tc39.es/proposal-intl-locale-info/, which TypeScript does not know yet. */
function zonesOf(tag: string): readonly string[] {
  const locale = new Intl.Locale(tag) as Intl.Locale & { getTimeZones(): readonly string[] | undefined };
  return locale.getTimeZones() ?? [];
}
