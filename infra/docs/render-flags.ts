import {
  CHANGE_FILTERS,
  CHANNEL_TYPES,
  CRAWL_SCOPES,
  CrawlOptionsSchema,
  DELIVERY_STATES,
  FORMAT_NAMES,
  flagsOf,
  HIDDEN_TEXT,
  JOB_STATES,
  PAGE_KINDS,
  SCHEDULE_STATES,
  SCOPES,
  SCRAPE_OPTION_ROWS,
  SchedulePatchSchema,
  URL_STATES,
  WEBHOOK_EVENT_TYPES,
} from '@gleaner/contracts';

const HEADER = `/** Written by \`npm run docs\` from the contracts; a test compares them. Do not edit. */
`;

/** Part of a schema that lists the values it takes. */
interface Listed {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly { readonly type?: string }[];
}

const FLAGS = SCRAPE_OPTION_ROWS.flatMap(([option, row]) => flagsOf(option, row));

/** Renders the flags of the options of a page for the command line. */
export function renderCommandFlags(): string {
  return `${HEADER}import type { PageFlag } from '@gleaner/contracts';

/** Flags of the options of a page. */
export const PAGE_FLAGS: readonly PageFlag[] = ${literalOf(FLAGS)};
`;
}

/** Renders the words that other options of the command line take. */
export function renderCommandWords(): string {
  const lists = Object.entries(WORDS).map(
    ([name, { about, list }]) => `\n/** ${about} */\nexport const ${name} = ${literalOf(list)} as const;\n`,
  );
  return HEADER + lists.join('');
}

/** Renders the flags for the calls that the console shows. */
export function renderShownFlags(): string {
  const kinds = [...new Set(FLAGS.map(({ kind }) => `'${kind}'`))];
  const shown = FLAGS.map(({ option, name, kind, sets, field }) => ({ option, name, kind, sets, field }));
  return `${HEADER}
/** Flag of the command line for an option of a page. */
interface ShownFlag {
  readonly option: string;
  readonly name: string;
  readonly kind: ${kinds.join(' | ')};
  /** Value of the option that the switch stands for; true without one. */
  readonly sets?: string;
  /** Field of the option that the flag sets. */
  readonly field?: string;
}

/** Flags of the options of a page. */
export const PAGE_FLAGS: readonly ShownFlag[] = ${literalOf(shown)};
`;
}

/** Lists of words that options of the command line take. */
const WORDS = {
  JOB_STATES: { about: 'States of a job.', list: JOB_STATES },
  URL_STATES: { about: 'States of a URL of a job.', list: URL_STATES },
  CHANGES: { about: 'Differences of a page from the crawl before.', list: CHANGE_FILTERS },
  PAGE_KINDS: { about: 'Kinds of pages that results come from.', list: PAGE_KINDS },
  WEBHOOK_EVENTS: { about: 'Events of webhooks.', list: WEBHOOK_EVENT_TYPES },
  CRAWL_SCOPES: { about: 'Reaches of a crawl.', list: CRAWL_SCOPES },
  SITEMAP_MODES: {
    about: 'Uses of sitemaps in a crawl.',
    list: wordsOf(CrawlOptionsSchema.properties.sitemap),
  },
  SCHEDULE_STATES: { about: 'States of a schedule.', list: SCHEDULE_STATES },
  CHANNEL_TYPES: { about: 'Kinds of channels.', list: CHANNEL_TYPES },
  DELIVERY_STATES: { about: 'States of a delivery.', list: DELIVERY_STATES },
  FORMAT_NAMES: { about: 'Whole-page formats.', list: FORMAT_NAMES },
  HIDDEN_TEXT: { about: 'Treatments of the text that no reader of a page sees.', list: HIDDEN_TEXT },
  SCOPES: { about: 'Permissions of a key.', list: SCOPES },
  RESETTABLE_SETTINGS: { about: 'Settings of a schedule that have a default.', list: resettable() },
} as const;

function wordsOf(schema: object): readonly string[] {
  return (schema as Listed).enum ?? [];
}

/** Returns the settings of a schedule that a patch may set to null. */
function resettable(): readonly string[] {
  return Object.entries(SchedulePatchSchema.properties as Readonly<Record<string, Listed>>).flatMap(
    ([name, { anyOf = [] }]) => (anyOf.some(({ type }) => type === 'null') ? [name] : []),
  );
}

/** Returns a value as this repository writes it in TypeScript. */
function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (typeof value[0] === 'string') return `[${value.map((each) => literalOf(each)).join(', ')}]`;
    return `[\n${value.map((each) => `${inner}${literalOf(each, inner)},\n`).join('')}${indent}]`;
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{\n${entries.map(([name, each]) => `${inner}${name}: ${literalOf(each, inner)},\n`).join('')}${indent}}`;
}
