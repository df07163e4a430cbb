import type { Static } from 'typebox';
import { SCRAPE_OPTION_ROWS, type SCRAPE_OPTIONS } from './scrape/scrape-options.ts';
import { engineFor, mayRender, type ScrapeOptions } from './scrape/scrape-request.ts';
import { screenshotOf } from './scrape/screenshot.ts';
import { Type } from './type.ts';

type Rows = typeof SCRAPE_OPTIONS;
type PricedOption = { [Name in keyof Rows]: Rows[Name] extends { price: object } ? Name : never }[keyof Rows];

/** A part of a scrape that has a price. */
export type CreditItem = 'base' | PricedOption;

const PRICED = SCRAPE_OPTION_ROWS.flatMap(([name, { price }]) =>
  price ? [[name as PricedOption, price] as const] : [],
);

/** Prices of the parts of a scrape, in credits. Only parts that ran are charged; a failure costs nothing. */
export const CREDIT_PRICES = Object.fromEntries([
  ['base', { credits: 1, text: 'every page' }],
  ...PRICED,
]) as Readonly<Record<CreditItem, { readonly credits: number; readonly text: string }>>;

/** Charged credits by part; the values add up to `metadata.credits`. */
export const CreditsBreakdownSchema = Type.Object(
  {
    base: Type.Integer({ minimum: 0 }),
    render: Type.Optional(Type.Integer({ minimum: 0 })),
    screenshot: Type.Optional(Type.Integer({ minimum: 0 })),
    proxy: Type.Optional(Type.Integer({ minimum: 0 })),
    antiBot: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Present only when the page could not be fetched without it.',
      }),
    ),
    llm: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Tokens of the model of `extract`, at the price of the operator.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CreditsBreakdown = Static<typeof CreditsBreakdownSchema>;

/** The optional parts of a scrape, as requested or as they ran. */
export type PricedOptions = Readonly<Record<Exclude<CreditItem, 'base'>, boolean>>;

/** Returns the price of a successful scrape by part: the base, and each option that is true. */
export function priceOf(options: PricedOptions): CreditsBreakdown {
  const breakdown: CreditsBreakdown = { base: CREDIT_PRICES.base.credits };
  for (const item of ['render', 'screenshot', 'proxy', 'antiBot'] as const) {
    if (options[item]) breakdown[item] = CREDIT_PRICES[item].credits;
  }
  return breakdown;
}

/** Returns the highest price of a scrape with these options. */
export function worstPriceOf(options: ScrapeOptions): CreditsBreakdown {
  const { antiBot = false, proxy } = options;
  const screenshot = screenshotOf(options) !== undefined;
  const page = priceOf({ render: mayRender(options), screenshot, proxy: proxy !== undefined, antiBot });
  const { maxCredits: llm = 0 } = options.extract ?? {};
  return llm > 0 ? { ...page, llm } : page;
}

/** Returns the price of a scrape without a fallback: by the first engine for these options. */
export function firstPriceOf(options: ScrapeOptions): CreditsBreakdown {
  const render = engineFor(options) === 'browser';
  const screenshot = screenshotOf(options) !== undefined;
  return priceOf({ render, screenshot, proxy: options.proxy !== undefined, antiBot: false });
}

/** Returns the most that a scrape with these options may cost: its highest price, or `maxCredits` if that is less. */
export function worstCreditsOf(options: ScrapeOptions): number {
  const { maxCredits = Number.POSITIVE_INFINITY } = options;
  return Math.min(totalCredits(worstPriceOf(options)), maxCredits);
}

/** Returns the sum of a breakdown, in credits. */
export function totalCredits(breakdown: CreditsBreakdown): number {
  return Object.values(breakdown).reduce((sum, credits) => sum + credits, 0);
}
