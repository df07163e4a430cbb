import { createHash } from 'node:crypto';
import {
  AppError,
  defined,
  type Evidence,
  type FieldHealth,
  type PackedPage,
  type ScheduleSettings,
  type Selector,
  type SelectorMap,
  type SnapshotCommand,
  type Suggestion,
} from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import { type Applicant, type SharedPlaces, takePlace } from '../../admission/take-place.ts';
import { askForContent } from '../content/ask-for-content.ts';

/** Collaborators of proposing selectors for fields that have fallen. */
export interface RepairDeps extends CommandDeps {
  readonly clock: Stores['clock'];
  readonly snapshots: Pick<Stores['snapshots'], 'findSnapshot'>;
  readonly snapshotPlaces: SharedPlaces;
}

/** A field among the selectors of a schedule: of the schedule itself, or of a rule of its crawl. */
export interface FieldPlace {
  readonly rule: number | undefined;
  /** Names from the top. */
  readonly names: readonly string[];
}

/** Fields that selectors are proposed for at once. */
const MAX_FIELDS = 20;
/** Characters of pages that fit into a message beside the rest. */
const MAX_PAGE_CHARACTERS = 10 * 1024 * 1024;
const TOO_MANY = {
  message: 'Other snapshots of the account are being read.',
  suggestion: 'Wait for their responses first, or try again in a few seconds.',
};
const NO_PAGES =
  'No page of before and of now is kept: they are kept from the next good run on, within the quota for snapshots.';
const TOO_LARGE = 'The kept pages are too large to propose selectors from.';
const TOO_MANY_FIELDS = 'Other fields come first: accept their suggestions, and read the health again.';

/** Returns a name of the selectors and pages that suggestions are made of. */
export function nameSources({ selectors, crawl }: ScheduleSettings, pages: readonly Evidence[]): string {
  const rules = crawl?.rules?.map((rule) => rule.selectors ?? null);
  const ids = pages.map(({ good, bad }) => [good, bad]);
  const text = JSON.stringify([selectors ?? null, rules ?? null, ids]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Returns the fields; each fallen one has a suggestion, or the reason for none. */
export async function suggestRepairs(
  fields: readonly FieldHealth[],
  { settings, pages }: { readonly settings: ScheduleSettings; readonly pages: readonly Evidence[] },
  call: Applicant,
  deps: RepairDeps,
): Promise<FieldHealth[]> {
  const fallen = fields.filter((field) => field.fallen);
  if (fallen.length === 0) return [...fields];
  const proposals = new Map<string, Pick<FieldHealth, 'suggestion' | 'note'>>();
  const places = fallen.map(({ path }) => ({ path, place: findPlace(settings, path) }));
  for (const { path, place } of places) {
    if (!place)
      proposals.set(path, { note: 'The field is not among the selectors of the schedule any more.' });
  }
  const known = places.flatMap(({ path, place }) => (place ? [{ path, place }] : []));
  for (const { path } of known.slice(MAX_FIELDS)) proposals.set(path, { note: TOO_MANY_FIELDS });
  const pairs = await readPairs(pages, call, deps);
  for (const [rule, ofRule] of Map.groupBy(known.slice(0, MAX_FIELDS), ({ place }) => place.rule)) {
    const answers = await propose(rule, ofRule, { settings, pairs }, call, deps);
    for (const [index, { path }] of ofRule.entries())
      proposals.set(path, answers[index] ?? { note: NO_PAGES });
  }
  return fields.map((field) => ({ ...field, ...proposals.get(field.path) }));
}

/** Pages at both times, or the reason why there are none. */
type Pairs = { readonly pages: readonly PagePair[]; readonly note: string };
interface PagePair {
  readonly page: PackedPage;
  readonly now: PackedPage;
}

async function readPairs(
  pages: readonly Evidence[],
  { caller }: Applicant,
  { clock, snapshots }: RepairDeps,
): Promise<Pairs> {
  const read = async (id: string | null) =>
    id === null ? null : await snapshots.findSnapshot(id, caller.account.id, clock.now());
  const found: PagePair[] = [];
  let characters = 0;
  let isTooLarge = false;
  for (const { good, bad } of pages) {
    const [page, now] = [await read(good), await read(bad)];
    if (!page || !now) continue;
    characters += page.source.length + now.source.length;
    isTooLarge ||= characters > MAX_PAGE_CHARACTERS;
    if (!isTooLarge) found.push({ page, now });
  }
  return { pages: found, note: isTooLarge ? TOO_LARGE : NO_PAGES };
}

/** Has a scraper propose selectors; without one, the reason is the answer. */
async function propose(
  rule: number | undefined,
  fields: readonly { readonly place: FieldPlace }[],
  { settings, pairs }: { readonly settings: ScheduleSettings; readonly pairs: Pairs },
  call: Applicant,
  deps: RepairDeps,
): Promise<Pick<FieldHealth, 'suggestion' | 'note'>[]> {
  const [first, ...others] = pairs.pages;
  if (!first) return fields.map(() => ({ note: pairs.note }));
  const task: SnapshotCommand['task'] = {
    type: 'repair',
    selectors: selectorsAt(settings, rule) ?? {},
    ...defined({ locale: settings.locale }),
    paths: fields.map(({ place }) => [...place.names]),
    now: first.now,
    others,
  };
  try {
    using _place = await takePlace(call, deps.snapshotPlaces, TOO_MANY);
    const command = { accountId: call.caller.account.id, page: first.page, task };
    const text = await askForContent(command, call.signal, deps);
    return (JSON.parse(text.toString()) as ProposedRepair[]).map(toProposal);
  } catch (error) {
    if (!(error instanceof AppError) || call.signal.aborted) throw error;
    return fields.map(() => ({ note: `No selectors could be proposed: ${error.message}` }));
  }
}

/** Answer of a scraper about one field. */
type ProposedRepair = (Suggestion & { readonly note?: never }) | { readonly note: string };

function toProposal(repair: ProposedRepair): Pick<FieldHealth, 'suggestion' | 'note'> {
  return repair.note === undefined ? { suggestion: repair } : { note: repair.note };
}

/** Returns the place of a field by its path; undefined for an unknown path. */
export function findPlace(settings: ScheduleSettings, path: string): FieldPlace | undefined {
  const rules = (settings.crawl?.rules ?? []).map((_, index) => index);
  for (const rule of [undefined, ...rules]) {
    const prefix = rule === undefined ? '' : `rules.${rule}.`;
    const names = path.startsWith(prefix)
      ? findNames(selectorsAt(settings, rule) ?? {}, path.slice(prefix.length))
      : undefined;
    if (names) return { rule, names };
  }
  return undefined;
}

/** Returns the names that a path joins; a name may have dots itself. */
function findNames(selectors: SelectorMap, path: string): readonly string[] | undefined {
  if (Object.hasOwn(selectors, path)) return [path];
  for (const [name, selector] of Object.entries(selectors)) {
    if (typeof selector === 'string' || !selector.fields || !path.startsWith(`${name}.`)) continue;
    const inner = findNames(selector.fields, path.slice(name.length + 1));
    if (inner) return [name, ...inner];
  }
  return undefined;
}

function selectorsAt(
  { selectors, crawl }: ScheduleSettings,
  rule: number | undefined,
): SelectorMap | undefined {
  return rule === undefined ? selectors : crawl?.rules?.[rule]?.selectors;
}

/** Returns the settings with another selector at a place. */
export function withSelector(
  settings: ScheduleSettings,
  { rule, names }: FieldPlace,
  selector: Selector,
): ScheduleSettings {
  const selectors = replaceIn(selectorsAt(settings, rule) ?? {}, names, selector);
  if (rule === undefined) return { ...settings, selectors };
  const rules = (settings.crawl?.rules ?? []).map((each, index) =>
    index === rule ? { ...each, selectors } : each,
  );
  return { ...settings, crawl: { ...settings.crawl, rules } };
}

function replaceIn(
  selectors: SelectorMap,
  [name = '', ...inner]: readonly string[],
  selector: Selector,
): SelectorMap {
  const outer = selectors[name];
  if (inner.length === 0 || typeof outer !== 'object' || !outer.fields)
    return { ...selectors, [name]: selector };
  return { ...selectors, [name]: { ...outer, fields: replaceIn(outer.fields, inner, selector) } };
}
