import { createHash } from 'node:crypto';
import type { ExtractedValue, RecordSelector, ScrapeOptions, SelectorMap } from '@gleaner/contracts';
import type { CrawlTerms } from '../crawl/crawl-terms.ts';

/** A field whose values are measured. */
export interface WatchedField {
  /** Dotted name; of a rule of a crawl, it begins with `rules.<index>.`. */
  readonly path: string;
  readonly name: string;
  /** Path in warnings. */
  readonly dataPath: string;
  /** It returns a list, or a number of matches. */
  readonly isMany: boolean;
  /** Its texts are converted, so that they can fail to. */
  readonly isConverted: boolean;
  readonly fallback: ExtractedValue | undefined;
  readonly expect: RecordSelector['expect'];
  /** Hash of what decides its values, the selectors of the records around it included. */
  readonly hash: string;
  /** Fields of its records. */
  readonly fields: readonly WatchedField[];
}

/** Fields of pages, by their rule of the crawl; undefined stands for pages without a rule. */
export type WatchedRules = ReadonlyMap<number | undefined, readonly WatchedField[]>;

/** Returns the fields of a job, those of each rule of a crawl by themselves. */
export function watchedFieldsOf({ selectors }: ScrapeOptions, crawl: CrawlTerms | undefined): WatchedRules {
  const rules = new Map<number | undefined, readonly WatchedField[]>();
  const own = selectors ? fieldsIn(selectors, { prefix: '', dataPath: '', hash: '' }) : [];
  rules.set(undefined, own);
  for (const [index, rule] of (crawl?.rules ?? []).entries()) {
    const place = { prefix: `rules.${index}.`, dataPath: '', hash: '' };
    if (rule.selectors) rules.set(index, fieldsIn(rule.selectors, place));
    else rules.set(index, rule.formats ? [] : own);
  }
  return rules;
}

/** Returns all fields, those of records after the records. */
export function allFields(rules: WatchedRules): WatchedField[] {
  const withInner = (field: WatchedField): WatchedField[] => [field, ...field.fields.flatMap(withInner)];
  return [...new Set([...rules.values()].flat())].flatMap(withInner);
}

/** Returns whether some field has bounds of its own. */
export function hasExpectations(options: ScrapeOptions, crawl: CrawlTerms | undefined): boolean {
  const isBounded = (selectors: SelectorMap): boolean =>
    Object.values(selectors).some(
      (selector) =>
        typeof selector !== 'string' &&
        (selector.expect !== undefined || (selector.fields !== undefined && isBounded(selector.fields))),
    );
  const maps = [options.selectors, ...(crawl?.rules ?? []).map(({ selectors }) => selectors)];
  return maps.some((selectors) => selectors !== undefined && isBounded(selectors));
}

/** Texts that stay as they are. */
const TEXT_TYPES = new Set(['string', 'markdown', 'boolean', 'count', 'table', 'rows']);
const LIST_TYPES = new Set(['count', 'table', 'rows']);

interface Place {
  readonly prefix: string;
  readonly dataPath: string;
  /** Hash of the records around the fields. */
  readonly hash: string;
}

function fieldsIn(selectors: SelectorMap, { prefix, dataPath: outer, hash: around }: Place): WatchedField[] {
  return Object.entries(selectors).map(([name, given]) => {
    const selector: RecordSelector = typeof given === 'string' ? { selector: given } : given;
    const { fields, key: _key, required: _required, expect, default: fallback, type, ...deciding } = selector;
    const [path, dataPath] = [prefix + name, outer + name];
    const hash = createHash('sha256')
      .update(JSON.stringify([around, type, Object.entries(deciding).toSorted()]))
      .digest('base64url')
      .slice(0, 16);
    const takesAll = selector.all === true || /::\s*all\s*$/i.test(selector.selector ?? '');
    const isTyped = type !== undefined && !TEXT_TYPES.has(type);
    return {
      path,
      name,
      dataPath,
      hash,
      fallback,
      expect,
      isMany: takesAll || LIST_TYPES.has(type ?? ''),
      isConverted: isTyped || selector.pattern !== undefined,
      fields: fields ? fieldsIn(fields, { prefix: `${path}.`, dataPath: `${dataPath}.`, hash }) : [],
    };
  });
}
