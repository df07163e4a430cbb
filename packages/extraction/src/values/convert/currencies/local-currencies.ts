import countryToCurrency from 'country-to-currency';

/** Currencies by the symbols and names that a locale uses for them alone. */
export interface LocalCurrencies {
  /** Currency of the country. */
  readonly home: string | undefined;
  readonly bySymbol: ReadonlyMap<string, string>;
}

/** Languages whose pages come from many countries with currencies of the same names. */
const SHARED_LANGUAGES = new Set(['ar', 'en', 'es']);

/** Currencies that pages of all countries name. */
const FOREIGN = ['EUR', 'USD', 'GBP'];

const CURRENCIES: Readonly<Record<string, string>> = countryToCurrency;

/** Returns the currencies of a supported locale: that of the country that it names, or whose language it is, comes first. */
export function localCurrencies(locale: string): LocalCurrencies {
  const { language, region } = new Intl.Locale(locale);
  const country =
    region ?? (SHARED_LANGUAGES.has(language) ? undefined : new Intl.Locale(locale).maximize().region);
  const home = country === undefined ? undefined : CURRENCIES[country];
  const bySymbol = new Map<string, string>();
  for (const code of FOREIGN) addSymbols(bySymbol, locale, code, ['name']);
  if (home !== undefined) addSymbols(bySymbol, locale, home, ['symbol', 'narrowSymbol', 'name']);
  return { home, bySymbol };
}

type Display = 'symbol' | 'narrowSymbol' | 'name';

/** Numbers of things for which some language has a plural form of its own. */
const AMOUNTS = [0, 1, 1.5, 2, 3, 5, 11, 1_000_000];

function addSymbols(
  bySymbol: Map<string, string>,
  locale: string,
  currency: string,
  displays: readonly Display[],
): void {
  for (const currencyDisplay of displays) {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
    for (const amount of AMOUNTS) {
      const symbol = format.formatToParts(amount).find(({ type }) => type === 'currency')?.value;
      if (symbol !== undefined) bySymbol.set(symbol, currency);
    }
  }
}
