import { type ExtractionPlan, planSelectors, type SelectorMap } from '@gleaner/extraction';

interface BenchField {
  readonly selector: string;
  readonly type:
    | 'string'
    | 'number'
    | 'integer'
    | 'price'
    | 'boolean'
    | 'date'
    | 'datetime'
    | 'url'
    | 'count';
  readonly all?: boolean;
}

/** Twenty fields of documentation; the texts of most lists are words and numbers. */
const FIELDS: Readonly<Record<string, BenchField>> = {
  title: { selector: 'title', type: 'string' },
  version: { selector: 'title', type: 'number' },
  heading: { selector: 'h1', type: 'string' },
  chapter: { selector: 'h1', type: 'integer' },
  sections: { selector: 'h2', type: 'number', all: true },
  subsections: { selector: 'h3', type: 'number', all: true },
  year: { selector: 'div.footer', type: 'integer' },
  updated: { selector: 'div.footer', type: 'date' },
  modified: { selector: 'div.footer', type: 'datetime' },
  price: { selector: 'div.body p', type: 'price' },
  cells: { selector: 'td', type: 'number', all: true },
  prices: { selector: 'td', type: 'price', all: true },
  links: { selector: 'a::attr(href)', type: 'url', all: true },
  images: { selector: 'img::attr(src)', type: 'url', all: true },
  canonical: { selector: 'link[rel=canonical]::attr(href)', type: 'url' },
  next: { selector: 'link[rel=next]::attr(href)', type: 'url' },
  hasSearch: { selector: '#searchbox', type: 'boolean' },
  isDeprecated: { selector: '.deprecated', type: 'boolean' },
  examples: { selector: 'pre', type: 'count' },
  items: { selector: 'li', type: 'count' },
};

/** Returns plans of the same fields with types and as strings, and the names of fields whose type is not available. */
export function planTwentyFields(): {
  readonly strings: ExtractionPlan;
  readonly typed: ExtractionPlan;
  readonly unavailable: readonly string[];
} {
  const fields = Object.entries(FIELDS);
  const available = fields.filter(([name, field]) => canPlan({ [name]: field }));
  const strings = available.map(([name, { type: _type, ...field }]) => [name, field]);
  return {
    strings: planSelectors(Object.fromEntries(strings)),
    typed: planSelectors(Object.fromEntries(available)),
    unavailable: fields.filter((field) => !available.includes(field)).map(([name]) => name),
  };
}

function canPlan(selectors: SelectorMap): boolean {
  try {
    planSelectors(selectors);
    return true;
  } catch {
    return false;
  }
}
