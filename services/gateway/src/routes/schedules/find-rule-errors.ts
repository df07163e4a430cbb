import {
  AppError,
  type ErrorDetail,
  LIMITS,
  leavesOf,
  nearestName,
  type PlacedLeaf,
  type Rule,
  type RuleCondition,
  type ScheduleSettings,
  type SelectorMap,
} from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { summarizeDetails } from '../../responses/summarize-details.ts';

/** A field for rules. */
interface KnownField {
  /** The list of its record; empty for a field of the page. */
  readonly list: string;
  readonly kind: 'number' | 'text' | 'price' | 'records' | 'list' | 'any';
}

/** Checks the rules of a schedule. Throws INVALID_REQUEST with every error, and CHANNEL_NOT_FOUND. */
export async function checkRules(
  settings: ScheduleSettings,
  accountId: string,
  { channels }: { readonly channels: Pick<Stores['channels'], 'listChannels'> },
): Promise<void> {
  checkConditions(settings);
  await checkChannels(settings, accountId, { channels });
}

/** Checks the conditions of rules. Throws INVALID_REQUEST with every error. */
export function checkConditions(settings: ScheduleSettings): void {
  const details = findRuleErrors(settings.notify ?? [], knownFieldsOf(settings));
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}

/** Throws CHANNEL_NOT_FOUND if a rule names a channel that the account does not have. */
export async function checkChannels(
  { notify = [] }: ScheduleSettings,
  accountId: string,
  { channels }: { readonly channels: Pick<Stores['channels'], 'listChannels'> },
): Promise<void> {
  if (notify.length === 0) return;
  const known = new Set((await channels.listChannels(accountId)).map(({ id }) => id));
  const missing = notify.flatMap(({ to }, index) =>
    to.flatMap((id, place) => (known.has(id) ? [] : [`notify.${index}.to.${place}`])),
  );
  if (missing.length === 0) return;
  throw new AppError('CHANNEL_NOT_FOUND', {
    details: missing.map((path) => ({ path, message: 'is not a channel of this account' })),
  });
}

/** Returns the errors of rules by their paths. */
export function findRuleErrors(
  rules: readonly Rule[],
  fields: ReadonlyMap<string, KnownField>,
): ErrorDetail[] {
  return rules.flatMap((rule, index) => {
    const path = `notify.${index}`;
    const leaves = [...leavesOf(rule.when, `${path}.when`)];
    const twin = rules.findIndex(({ name }) => name === rule.name);
    return [
      ...(twin < index ? [{ path: `${path}.name`, message: `is the name of notify.${twin} already` }] : []),
      ...(leaves.length > LIMITS.maxLeavesPerRule
        ? [{ path: `${path}.when`, message: `must have at most ${LIMITS.maxLeavesPerRule} conditions` }]
        : []),
      ...leaves.flatMap((leaf) => findLeafErrors(leaf, fields)),
      ...findScopeErrors(leaves, fields),
      ...findContradictions(rule.when, `${path}.when`),
    ];
  });
}

function findLeafErrors({ path, leaf }: PlacedLeaf, fields: ReadonlyMap<string, KnownField>): ErrorDetail[] {
  if ('added' in leaf || 'removed' in leaf) {
    const [name, list] =
      'added' in leaf ? (['added', leaf.added] as const) : (['removed', leaf.removed] as const);
    const kind = fields.get(list)?.kind;
    if (kind === 'records') return [];
    const lists = [...fields].flatMap(([each, known]) => (known.kind === 'records' ? [each] : []));
    const message =
      kind === undefined
        ? unknown(list, lists, 'list')
        : 'is not a list of records: give it "all": true and "fields"';
    return [{ path: `${path}.${name}`, message }];
  }
  if ('changed' in leaf) {
    return leaf.changed.flatMap((field, index) => {
      const known = fields.get(field);
      if (known) return [];
      return [{ path: `${path}.changed.${index}`, message: unknown(field, [...fields.keys()], 'field') }];
    });
  }
  const known = fields.get(leaf.field);
  if (!known) return [{ path: `${path}.field`, message: unknown(leaf.field, [...fields.keys()], 'field') }];
  const wantsNumber = !('becomes' in leaf);
  const problem = problemOf(leaf.field, known, wantsNumber);
  const isZero = 'by' in leaf && Number.parseFloat(leaf.by) === 0;
  return [
    ...(problem ? [{ path: `${path}.field`, message: problem }] : []),
    ...(isZero ? [{ path: `${path}.by`, message: 'must not be 0%; use "changed" for any change' }] : []),
  ];
}

function problemOf(field: string, { kind }: KnownField, wantsNumber: boolean): string | undefined {
  if (kind === 'price') return `is a price; use "${field}.amount"`;
  if (kind === 'records' || kind === 'list')
    return 'is a list; use "changed" for it, or a field of its records';
  return wantsNumber && kind === 'text' ? 'is a text; give the field the type price or number' : undefined;
}

/** Names that an error lists. */
const MAX_LISTED = 20;

function unknown(name: string, known: readonly string[], noun: 'field' | 'list'): string {
  const meant = known.length > 0 ? nearestName(name, known) : undefined;
  if (meant !== undefined) return `is not a ${noun} of the selectors; did you mean "${meant}"?`;
  const listed = known.slice(0, MAX_LISTED).join(', ');
  return `is not a ${noun} of the selectors. ${known.length > 0 ? `Known: ${listed}` : 'They have none'}`;
}

/** Finds conditions about another list than the first one of their rule. */
function findScopeErrors(
  leaves: readonly PlacedLeaf[],
  fields: ReadonlyMap<string, KnownField>,
): ErrorDetail[] {
  const scopes = leaves.flatMap(({ path, leaf }) => {
    if ('added' in leaf) return [{ path, list: leaf.added }];
    if ('removed' in leaf) return [{ path, list: leaf.removed }];
    const named = 'changed' in leaf ? leaf.changed : [leaf.field];
    return named.flatMap((field) => {
      const list = fields.get(field)?.list;
      return list === undefined ? [] : [{ path, list }];
    });
  });
  const [first] = scopes;
  const about = (list: string) => (list === '' ? 'the page' : `"${list}"`);
  return scopes.flatMap(({ path, list }) => {
    if (list === first?.list) return [];
    const message = `is about ${about(list)}, and the rule about ${about(first?.list ?? '')}; make a rule of its own`;
    return [{ path, message }];
  });
}

/** Finds bounds in `all` that no number meets. */
function findContradictions(condition: RuleCondition, path: string): ErrorDetail[] {
  if ('any' in condition)
    return condition.any.flatMap((each, index) => findContradictions(each, `${path}.any.${index}`));
  if (!('all' in condition)) return [];
  const bounds = new Map<string, number>();
  for (const each of condition.all) {
    if ('above' in each) bounds.set(each.field, Math.max(each.above, bounds.get(each.field) ?? each.above));
  }
  return condition.all.flatMap((each, index) => {
    const at = `${path}.all.${index}`;
    if (!('below' in each)) return findContradictions(each, at);
    const above = bounds.get(each.field);
    if (above === undefined || above < each.below) return [];
    return [{ path: `${at}.below`, message: `cannot hold together with above ${above} of the same field` }];
  });
}

/** Returns the fields of a schedule that rules can name, by their paths. */
export function knownFieldsOf({
  selectors,
  formats = [],
  crawl,
}: Pick<ScheduleSettings, 'selectors' | 'formats' | 'crawl'>): ReadonlyMap<string, KnownField> {
  const fields = new Map<string, KnownField>();
  for (const map of [selectors, ...(crawl?.rules ?? []).map((rule) => rule.selectors)]) {
    if (map) addFields(map, { prefix: '', list: '' }, fields);
  }
  if (!selectors) {
    for (const format of formats) {
      const name = typeof format === 'string' ? format : format.type;
      fields.set(`formats.${name}`, { list: '', kind: 'text' });
    }
  }
  return fields;
}

const NUMBERS: ReadonlySet<string | undefined> = new Set(['number', 'integer', 'count']);
const OPEN: ReadonlySet<string | undefined> = new Set(['json', 'boolean']);
const LISTS: ReadonlySet<string | undefined> = new Set(['table', 'rows']);

function addFields(
  selectors: SelectorMap,
  { prefix, list }: { readonly prefix: string; readonly list: string },
  fields: Map<string, KnownField>,
): void {
  for (const [name, given] of Object.entries(selectors)) {
    const selector = typeof given === 'string' ? { selector: given } : given;
    const path = prefix + name;
    const { type, fields: inner, json } = selector;
    const isMany = selector.all === true || /::\s*all\s*$/i.test(selector.selector ?? '');
    if (inner && isMany) {
      fields.set(path, { list, kind: list === '' ? 'records' : 'list' });
      if (list === '') addFields(inner, { prefix: `${path}.`, list: path }, fields);
    } else if (inner) addFields(inner, { prefix: `${path}.`, list }, fields);
    else if ((isMany && type !== 'count') || LISTS.has(type)) fields.set(path, { list, kind: 'list' });
    else if (type === 'price') {
      fields.set(path, { list, kind: 'price' });
      fields.set(`${path}.amount`, { list, kind: 'number' });
      fields.set(`${path}.currency`, { list, kind: 'text' });
    } else if (NUMBERS.has(type)) fields.set(path, { list, kind: 'number' });
    else fields.set(path, { list, kind: OPEN.has(type) || (json !== undefined && !type) ? 'any' : 'text' });
  }
}
