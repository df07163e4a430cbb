import {
  type Change,
  type ChannelMessage,
  cutText,
  type FeedKind,
  LIMITS,
  takingTurns,
  urlsOf,
} from '@gleaner/contracts';
import type { Comparison, JobProgress, StoredSchedule, Stores } from '@gleaner/storage';
import { parseChanges } from '../jobs/describe-comparison.ts';

/** Stores that the entries of a feed are read from. */
export interface EntryDeps {
  readonly jobs: Pick<Stores['jobs'], 'findNews'>;
  readonly changes: Pick<Stores['changes'], 'find'>;
  readonly tellings: Pick<Stores['tellings'], 'find'>;
  /** Address of the console up to its views; undefined where the service does not know its own address. */
  readonly consoleUrl: string | undefined;
}

/** One entry of a feed. */
export interface FeedEntry {
  readonly id: string;
  readonly kind: FeedKind;
  /** Name of the rule. */
  readonly rule?: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly at: Date;
  /** The page that it is about; the run, where it is about several. */
  readonly url: string | undefined;
}

/** Changes of a run that an entry names, and the characters of a line and of a value. */
const MAX_CHANGES = 20;
const MAX_LINE = 500;
const MAX_VALUE = 160;

/**
 * Returns the newest entries of a schedule: one for each message of a rule, and one for the changes of each run. They are read run by run, so
 * that other calls get their turns.
 */
export async function collectEntries(
  schedule: StoredSchedule,
  kinds: readonly FeedKind[],
  deps: EntryDeps,
  signal: AbortSignal,
): Promise<FeedEntry[]> {
  const { id: scheduleId, accountId, settings } = schedule;
  const takeTurns = takingTurns();
  const bounds = { limit: LIMITS.maxFeedEntries, among: LIMITS.maxFeedRuns };
  const entries: FeedEntry[] = [];
  for (const run of await deps.jobs.findNews({ accountId, scheduleId }, bounds)) {
    const left = LIMITS.maxFeedEntries - entries.length;
    if (left <= 0) break;
    signal.throwIfAborted();
    const { consoleUrl } = deps;
    const place = { url: consoleUrl === undefined ? urlsOf(settings)[0] : `${consoleUrl}/jobs/${run.id}` };
    if (kinds.includes('rules')) entries.push(...(await messagesOf(run, left, place, deps)));
    if (kinds.includes('changes') && entries.length < LIMITS.maxFeedEntries) {
      entries.push(...(await changesOf(run, place, deps)));
    }
    await takeTurns();
  }
  return entries;
}

/** Fallback of an entry about several pages. */
type Place = Pick<FeedEntry, 'url'>;

async function messagesOf(
  { id, told, completedAt, createdAt }: JobProgress,
  limit: number,
  place: Place,
  { tellings }: EntryDeps,
): Promise<FeedEntry[]> {
  if (!told) return [];
  const texts = await tellings.find(told.key, { offset: 0, limit: Math.min(limit, told.messages) });
  return texts.map((json, index) => {
    const { rule, title, text, records } = JSON.parse(json) as ChannelMessage;
    return {
      id: `urn:gleaner:${id}:rule:${index}`,
      kind: 'rules',
      rule,
      title,
      lines: text.split('\n'),
      at: completedAt ?? createdAt,
      url: onlyUrl(records) ?? place.url,
    };
  });
}

async function changesOf(
  { id, comparison, completedAt, createdAt }: JobProgress,
  place: Place,
  { changes }: EntryDeps,
): Promise<FeedEntry[]> {
  if (!comparison || comparison.added + comparison.removed + comparison.changed === 0) return [];
  const found = parseChanges(await changes.find(id, { offset: 0, limit: MAX_CHANGES }));
  const [first] = found;
  const total = comparison.stored + comparison.omitted;
  const more = total - found.length;
  const lines = found.map((change) => cutText(`${describeChange(change)} ${change.url}`, MAX_LINE));
  return [
    {
      id: `urn:gleaner:${id}:changes`,
      kind: 'changes',
      title: total === 1 && first ? describeChange(first) : describeCounts(comparison),
      lines: more > 0 ? [...lines, `and ${more} more`] : lines,
      at: completedAt ?? createdAt,
      url: (more > 0 ? undefined : onlyUrl(found)) ?? place.url,
    },
  ];
}

/** Returns the URL that all have; undefined if there are several. */
function onlyUrl(places: readonly { readonly url: string }[]): string | undefined {
  const urls = new Set(places.map(({ url }) => url));
  const [only] = urls;
  return urls.size === 1 ? only : undefined;
}

function describeChange({ path, kind, before, after }: Change): string {
  const what = path === '' ? 'page' : path;
  if (kind !== 'changed') return oneLine(`${kind}: ${what}`);
  return oneLine(`${what}: ${showValue(before)} → ${showValue(after)}`);
}

function showValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE);
}

function describeCounts({ changed, added, removed }: Comparison): string {
  const counts = Object.entries({ changed, added, removed }).filter(([, count]) => count > 0);
  return counts.map(([kind, count]) => `${count} ${kind}`).join(', ');
}

function oneLine(text: string): string {
  return cutText(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim(), MAX_LINE);
}
