import type { Evidence, ScheduleHealth } from '@gleaner/contracts';
import type { EvidencePage, HealthReport, Stores } from '@gleaner/storage';

/** Stores that the health of a schedule is read from. */
export interface HealthReader {
  readonly clock: Stores['clock'];
  readonly health: Pick<Stores['health'], 'findHealth'>;
  readonly snapshots: Pick<Stores['snapshots'], 'findKept'>;
}

/** Returns the health of a schedule, with the pages that are still kept. */
export async function readHealth(scheduleId: string, reader: HealthReader): Promise<ScheduleHealth> {
  const stored = await reader.health.findHealth(scheduleId);
  if (!stored) return { scheduleId, health: 'ok', runs: 0, lastJobId: null, fields: [], pages: [] };
  const { runs, lastJobId, fields, good, bad } = JSON.parse(stored.reportJson) as HealthReport;
  const pages = await pairPages(good, bad, reader);
  return { scheduleId, health: stored.health, runs, lastJobId, fields: [...fields], pages };
}

/** Returns the pages as they were beside the same pages as they are, those with both first. */
async function pairPages(
  good: readonly EvidencePage[],
  bad: readonly EvidencePage[],
  { clock, snapshots }: HealthReader,
): Promise<Evidence[]> {
  const ids = [...good, ...bad].map(({ snapshotId }) => snapshotId);
  const kept = ids.length > 0 ? await snapshots.findKept(ids, clock.now()) : new Set();
  const keptOf = (pages: readonly EvidencePage[]) =>
    new Map(pages.filter(({ snapshotId }) => kept.has(snapshotId)).map((page) => [page.url, page]));
  const [before, now] = [keptOf(good), keptOf(bad)];
  const urls = [...new Set([...before.keys(), ...now.keys()])];
  const pages = urls.map((url): Evidence => {
    const [was, is] = [before.get(url), now.get(url)];
    const [goodId, badId] = [was?.snapshotId ?? null, is?.snapshotId ?? null];
    return { url, good: goodId, goodAt: was?.at ?? null, bad: badId, badAt: is?.at ?? null };
  });
  return [
    ...pages.filter(({ good: g, bad: b }) => g && b),
    ...pages.filter(({ good: g, bad: b }) => !g || !b),
  ];
}
