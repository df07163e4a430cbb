/**
 * Signs, abbreviations and words of currencies, separated by `|`. One that several currencies have is resolved by the
 * `currency` option or the locale's country. CLDR adds those that a locale uses for the currency of its country.
 */
const SYMBOLS_BY_CURRENCY: Readonly<Record<string, string>> = {
  AED: 'د.إ|درهم|Dhs',
  AFN: '؋',
  AMD: '֏|դր',
  AOA: 'Kz',
  ARS: '$|AR$',
  AUD: '$|A$|AU$|AU $|$AU',
  AZN: '₼|ман',
  BBD: '$|Bds$',
  BDT: '৳|টাকা',
  BGN: 'лв',
  BHD: 'د.ب',
  BMD: '$',
  BND: '$|B$|BN$',
  BOB: 'Bs',
  BRL: 'R$',
  BSD: '$|B$',
  BYN: 'Br|руб|рублей|рубля|р|Р',
  BZD: '$|BZ$',
  CAD: '$|C$|CA$|CA $|CAN$|$CA',
  CHF: 'Fr|SFr|sFr',
  CLP: '$|CL$',
  CNY: '¥|CN¥|元|人民币|RMB|yuan',
  COP: '$|CO$|COL$',
  CRC: '₡',
  CUP: '$',
  CVE: '$|CV$',
  CZK: 'Kč',
  DKK: 'kr|Kr',
  DOP: '$|RD$',
  DZD: 'د.ج|دج',
  EGP: '£|E£|ج.م|جنيه',
  ETB: 'Br',
  EUR: '€|euro|euros|Euro|Euros',
  FJD: '$|FJ$',
  FKP: '£',
  GBP: '£',
  GEL: '₾|ლარი|ლ',
  GHS: '₵|GH₵|GH¢',
  GIP: '£',
  GYD: '$|G$|GY$',
  HKD: '$|HK$|HK $|元',
  HUF: 'Ft',
  IDR: 'Rp',
  ILS: '₪|ש"ח|ש״ח|NIS',
  INR: '₹|Rs',
  IQD: 'د.ع',
  IRR: '﷼|ریال',
  ISK: 'kr|Kr',
  JMD: '$|J$',
  JOD: 'د.أ',
  JPY: '¥|JP¥|円|yen',
  KES: 'KSh|Ksh',
  KGS: 'сом',
  KHR: '៛',
  KPW: '₩',
  KRW: '₩|원',
  KWD: 'د.ك|KD',
  KYD: '$|CI$',
  KZT: '₸|тг|тенге',
  LAK: '₭',
  LBP: '£|L£|LB£|ل.ل',
  LKR: 'Rs|₨|රු',
  LRD: '$|L$',
  LYD: 'د.ل',
  MAD: 'د.م|درهم',
  MDL: 'lei|leu',
  MNT: '₮',
  MOP: 'MOP$|元',
  MUR: 'Rs|₨',
  MVR: 'Rf',
  MXN: '$|MX$|MEX$',
  MYR: 'RM',
  MZN: 'MTn',
  NAD: '$|N$',
  NGN: '₦',
  NIO: 'C$',
  NOK: 'kr|Kr',
  NPR: 'Rs|₨|रू|नेरू',
  NZD: '$|NZ$|NZ $|$NZ',
  OMR: '﷼|ر.ع|ريال',
  PAB: 'B/.',
  PEN: 'S/.|S/',
  PHP: '₱',
  PKR: 'Rs|₨',
  PLN: 'zł|Zł|ZŁ|zl',
  PYG: '₲',
  QAR: '﷼|ر.ق|ريال',
  RON: 'lei|Lei|leu',
  RSD: 'дин|динара',
  RUB: '₽|руб|рублей|рубля|р|Р',
  SAR: '﷼|ر.س|ريال|\u20c1',
  SBD: '$|SI$',
  SCR: 'Rs|₨',
  SDG: 'ج.س|جنيه',
  SEK: 'kr|Kr',
  SGD: '$|S$|SG$',
  SHP: '£',
  SRD: '$|Sr$',
  SSP: '£',
  SYP: '£|SY£|ل.س',
  THB: '฿|บาท',
  TND: 'د.ت',
  TOP: 'T$',
  TRY: '₺|TL',
  TTD: '$|TT$',
  TWD: '$|NT$|NT $|元',
  TZS: 'TSh',
  UAH: '₴|грн|гривень',
  UGX: 'USh',
  USD: '$|US$|US $|U.S.$|$US',
  UYU: '$|$U|UY$',
  UZS: "so'm|сум",
  VES: 'Bs',
  VND: '₫|đ|Đ|VNĐ',
  WST: 'WS$',
  XAF: 'CFA|FCFA|F CFA|Fr',
  XCD: '$|EC$',
  XOF: 'CFA|FCFA|F CFA|Fr',
  XPF: 'CFPF',
  YER: '﷼|ر.ي|ريال',
};

/** Symbols that mean one currency wherever a page does not name one of the few countries that use them, too. */
const DEFAULTS: Readonly<Record<string, string>> = { '£': 'GBP', '₩': 'KRW' };

const DOLLAR_CENTS = [
  'USD',
  'AUD',
  'BBD',
  'BSD',
  'BZD',
  'CAD',
  'HKD',
  'JMD',
  'MXN',
  'NZD',
  'SGD',
  'TTD',
  'TWD',
  'ZAR',
];

/** Hundredths of currencies behind a number. Single letters have to touch it: `99p`. */
const CURRENCIES_BY_MINOR_UNIT: Readonly<Record<string, readonly string[]>> = {
  '¢': DOLLAR_CENTS,
  c: [...DOLLAR_CENTS, 'EUR'],
  cents: [...DOLLAR_CENTS, 'EUR'],
  p: ['GBP'],
  pence: ['GBP'],
  Cent: ['EUR'],
  коп: ['RUB'],
};

/** Symbols of hundredths. */
export const MINOR_UNITS: ReadonlySet<string> = new Set(Object.keys(CURRENCIES_BY_MINOR_UNIT));

/** Currencies of a symbol. */
export interface SymbolMeaning {
  readonly candidates: readonly string[];
  /** The currency of the symbol if neither an option nor a country decides. */
  readonly usual: string | undefined;
}

/** Returns all symbols with their meanings. */
export function readSymbols(): Map<string, SymbolMeaning> {
  const candidates = new Map<string, string[]>();
  for (const [currency, symbols] of Object.entries(SYMBOLS_BY_CURRENCY)) {
    for (const symbol of symbols.split('|')) {
      candidates.set(symbol, [...(candidates.get(symbol) ?? []), currency]);
    }
  }
  for (const [symbol, codes] of Object.entries(CURRENCIES_BY_MINOR_UNIT)) candidates.set(symbol, [...codes]);
  return new Map(
    Array.from(candidates, ([symbol, codes]) => [
      symbol,
      { candidates: codes, usual: codes.length === 1 ? codes[0] : DEFAULTS[symbol] },
    ]),
  );
}
