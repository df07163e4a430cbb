import { AppError, defined, type Evidence, type FieldHealth, type ScheduleHealth } from '@gleaner/contracts';
import {
  describeSchedule,
  type EvidencePage,
  type HealthReport,
  type StoredSchedule,
  type Stores,
} from '@gleaner/storage';
import type { Applicant } from '../../admission/take-place.ts';
import { commandSchedule, expectOutcome } from '../commands.ts';
import type { Handlers } from '../handler.ts';
import { type CrawlRules, withinLimits } from '../jobs/crawl/check-crawl.ts';
import { type RepairRecipeDeps, repairRecipe } from '../recipes/repair-recipe.ts';
import type { ScrapeRules } from '../scrape/check-scrape-request.ts';
import { checkSettings } from './check-settings.ts';
import { findSchedule } from './find-schedule.ts';
import { findPlace, nameSources, type RepairDeps, suggestRepairs, withSelector } from './suggest-repairs.ts';

/** Collaborators of the handlers. */
export interface HealthDeps extends Omit<RepairDeps, 'snapshots'>, RepairRecipeDeps {
  readonly schedules: Pick<Stores['schedules'], 'findSchedule'>;
  readonly health: Pick<Stores['health'], 'findHealth'>;
  readonly snapshots: Pick<Stores['snapshots'], 'findKept' | 'findSnapshot'>;
  readonly rules: ScrapeRules & CrawlRules;
}

/** Number of attempts at a change when the schedule is modified concurrently. */
const MAX_ATTEMPTS = 5;

/** Handlers of the health of schedules: suggestions are made for each request, from the pages that are kept. */
export const healthHandlers: Handlers<'getScheduleHealth' | 'acceptSuggestions', HealthDeps> = {
  async getScheduleHealth(call, deps) {
    const schedule = await findSchedule(call.caller, call.params.id, deps);
    const health = await readHealth(schedule, deps);
    if (call.query.suggest === 'false') return { success: true, health };
    return { success: true, health: await withSuggestions(health, schedule, call, deps) };
  },

  async acceptSuggestions(call, deps) {
    const { caller, params, body, signal } = call;
    let expected = body.suggestedFor;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const schedule = await findSchedule(caller, params.id, deps);
      const health = await readHealth(schedule, deps);
      expected ??= health.suggestedFor;
      if (health.suggestedFor !== expected) throw new AppError('SUGGESTION_OUTDATED');
      const { fields } = await withSuggestions(health, schedule, call, deps);
      const accepted = chooseFields(fields, body.fields);
      const settings = withinLimits(
        accepted.reduce((before, { path, suggestion }) => {
          const place = findPlace(before, path);
          return place && suggestion ? withSelector(before, place, suggestion.selector) : before;
        }, schedule.settings),
        deps.rules,
      );
      await checkSettings(settings, deps.rules);
      const repaired = await repairRecipe(schedule.settings, settings, call, deps);
      const target = { scheduleId: schedule.id, accountId: caller.account.id };
      const { revision } = schedule;
      const update = { type: 'update' as const, ...target, settings: repaired.settings, revision };
      const reply = await commandSchedule(update, deps, signal);
      if (reply.outcome === 'stale') continue;
      const stored = expectOutcome(reply, 'stored').schedule;
      return {
        success: true,
        schedule: { ...stored, health: health.health },
        accepted: accepted.map(({ path }) => path),
        ...defined({ recipe: repaired.recipe }),
      };
    }
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: 'The schedule was modified concurrently; no change was made.',
      retryAfterSeconds: 1,
    });
  },
};

/** Returns the fields to repair by suggestion; fields inside records come with their record. Throws NO_SUGGESTION. */
function chooseFields(fields: readonly FieldHealth[], named: readonly string[] | undefined): FieldHealth[] {
  const lacking = (named ?? []).flatMap((path, index) => {
    const field = fields.find((each) => each.path === path);
    const message = field ? (field.note ?? 'has not fallen') : 'is not a field of the schedule';
    return field?.suggestion ? [] : [{ path: `fields.${index}`, message }];
  });
  if (lacking.length > 0) {
    const [first] = lacking;
    const message = `There is no suggestion for "${named?.[Number(first?.path.slice(7))]}": ${first?.message}`;
    throw new AppError('NO_SUGGESTION', { message, details: lacking });
  }
  const chosen = fields.filter(({ path, suggestion }) =>
    named ? named.includes(path) : suggestion?.isVerified === true,
  );
  if (chosen.length === 0) throw new AppError('NO_SUGGESTION');
  return chosen.filter(({ path }) => !chosen.some((other) => path.startsWith(`${other.path}.`)));
}

async function withSuggestions(
  health: ScheduleHealth,
  { settings }: StoredSchedule,
  call: Applicant,
  deps: HealthDeps,
): Promise<ScheduleHealth> {
  const fields = await suggestRepairs(health.fields, { settings, pages: health.pages }, call, deps);
  return { ...health, fields };
}

/** Returns the health of a schedule, with the pages that are still kept, without suggestions. */
async function readHealth(schedule: StoredSchedule, deps: HealthDeps): Promise<ScheduleHealth> {
  const { id: scheduleId, settings } = schedule;
  const stored = await deps.health.findHealth(scheduleId);
  const report: HealthReport | undefined = stored ? JSON.parse(stored.reportJson) : undefined;
  const { runs = 0, lastJobId = null, fields = [], good = [], bad = [] } = report ?? {};
  const pages = await pairPages(good, bad, deps);
  return {
    scheduleId,
    health: stored?.health ?? describeSchedule(schedule).health,
    runs,
    lastJobId,
    fields: [...fields],
    pages,
    suggestedFor: nameSources(settings, pages),
  };
}

/** Returns the pages as they were beside the same pages as they are, those with both first. */
async function pairPages(
  good: readonly EvidencePage[],
  bad: readonly EvidencePage[],
  { clock, snapshots }: Pick<HealthDeps, 'clock' | 'snapshots'>,
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
  const isWhole = (page: Evidence) => page.good !== null && page.bad !== null;
  return [...pages.filter(isWhole), ...pages.filter((page) => !isWhole(page))];
}
