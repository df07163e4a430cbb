import type { Caller } from '../caller.ts';
import { createListing, type Listing } from '../data-of.ts';
import type {
  CreateScheduleRequest,
  Job,
  Run,
  Schedule,
  ScheduleDiff,
  ScheduleFeed,
  ScheduleHealth,
  SchedulePatch,
} from '../generated/openapi.ts';
import {
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  keyOf,
  type QueryOf,
  type ResultOf,
} from '../operation-types.ts';
import { joinBytes, readChunks } from '../read-lines.ts';

/** Most runs whose changes are read at once. */
const LARGEST_PAGE = 20;

/** Schedules: pages that are scraped repeatedly. */
export class Schedules {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a schedule. */
  async create(body: CreateScheduleRequest, options?: CallOptions): Promise<Schedule> {
    return (await this.#caller.call('createSchedule', { body }, options)).schedule;
  }

  /** Lists schedules, newest first. */
  list(query: QueryOf<'listSchedules'> = {}, options?: CallOptions): Listing<Schedule> {
    return createListing('schedules', query, options, (each, call) =>
      this.#caller.call('listSchedules', { query: each }, call),
    );
  }

  /** Returns the next times of a cron expression. */
  async preview(
    query: QueryOf<'previewSchedule'>,
    options?: CallOptions,
  ): Promise<ResultOf<'previewSchedule'>['preview']> {
    return (await this.#caller.call('previewSchedule', { query }, options)).preview;
  }

  /** Returns a schedule. */
  async get(id: string, options?: CallOptions): Promise<Schedule> {
    return (await this.#caller.call('getSchedule', { path: { id } }, options)).schedule;
  }

  /** Changes settings: what is given replaces the setting, null resets it, the rest stays. */
  async update(id: string, body: SchedulePatch, options?: CallOptions): Promise<Schedule> {
    return (await this.#caller.call('updateSchedule', { path: { id }, body }, options)).schedule;
  }

  /** Pauses a schedule: no runs start until it is resumed. */
  async pause(id: string, options?: CallOptions): Promise<Schedule> {
    return (await this.#caller.call('pauseSchedule', { path: { id } }, options)).schedule;
  }

  /** Resumes a schedule: the next run is the next due time from now. */
  async resume(id: string, options?: CallOptions): Promise<Schedule> {
    return (await this.#caller.call('resumeSchedule', { path: { id } }, options)).schedule;
  }

  /** Starts a run now and returns its job. */
  async run(id: string, options: CreateOptions = {}): Promise<Job> {
    const input = { path: { id }, headers: keyOf(options) };
    return (await this.#caller.call('runSchedule', input, options)).job;
  }

  /** Lists the jobs of a schedule, newest first, with whether their data changed. */
  runs(id: string, query: QueryOf<'listScheduleRuns'> = {}, options?: CallOptions): Listing<Run> {
    return createListing('runs', query, options, (each, call) =>
      this.#caller.call('listScheduleRuns', { path: { id }, query: each }, call),
    );
  }

  /** Lists the values in which runs of a schedule differ from the runs before, newest first. */
  changes(
    id: string,
    query: QueryOf<'listScheduleChanges'> = {},
    options?: CallOptions,
  ): Listing<ResultOf<'listScheduleChanges'>['changes'][number]> {
    const pages = { limit: LARGEST_PAGE, ...query };
    return createListing('changes', pages, options, (each, call) =>
      this.#caller.call('listScheduleChanges', { path: { id }, query: each }, call),
    );
  }

  /** Returns the rules of a schedule with what each has told, and the number of records that they watch. */
  async rules(id: string, options?: CallOptions): Promise<Omit<ResultOf<'listScheduleRules'>, 'success'>> {
    const { success, ...result } = await this.#caller.call('listScheduleRules', { path: { id } }, options);
    return result;
  }

  /** Compares the Markdown of two runs: by default of the last one and of the one before it. */
  async diff(
    id: string,
    query: Omit<QueryOf<'getScheduleDiff'>, 'format'> = {},
    options?: CallOptions,
  ): Promise<ScheduleDiff> {
    return (await this.#caller.call('getScheduleDiff', { path: { id }, query }, options)).diff;
  }

  /** Returns the paths of the feeds of a schedule, whose token opens them without an API key. */
  async feed(id: string, options?: CallOptions): Promise<ScheduleFeed> {
    return (await this.#caller.call('getScheduleFeed', { path: { id } }, options)).feed;
  }

  /** Replaces the token of the feeds of a schedule. */
  async rotateFeed(id: string, options?: CallOptions): Promise<ScheduleFeed> {
    return (await this.#caller.call('rotateScheduleFeed', { path: { id } }, options)).feed;
  }

  /** Returns the news of a schedule as the text of a feed: Atom, or JSON Feed. */
  async readFeed(
    id: string,
    format: 'atom' | 'json',
    query: Omit<QueryOf<'readScheduleFeed'>, 'token'> = {},
    options?: CallOptions,
  ): Promise<string> {
    const input = { path: { id }, query };
    const opening =
      format === 'atom'
        ? this.#caller.open('readScheduleAtom', input, options)
        : this.#caller.open('readScheduleFeed', input, options);
    const chunks: Uint8Array[] = [];
    for await (const chunk of readChunks(await opening)) chunks.push(chunk);
    return new TextDecoder().decode(joinBytes(chunks));
  }

  /** Returns what the fields of a schedule returned before and return now, with suggestions for those that have fallen. */
  async health(
    id: string,
    query: QueryOf<'getScheduleHealth'> = {},
    options?: CallOptions,
  ): Promise<ScheduleHealth> {
    return (await this.#caller.call('getScheduleHealth', { path: { id }, query }, options)).health;
  }

  /** Uses the selectors suggested for fallen fields: all verified suggestions, or the ones of named fields. */
  async acceptSuggestions(
    id: string,
    body: BodyOf<'acceptSuggestions'> = {},
    options?: CallOptions,
  ): Promise<Omit<ResultOf<'acceptSuggestions'>, 'success'>> {
    const { success, ...accepted } = await this.#caller.call(
      'acceptSuggestions',
      { path: { id }, body },
      options,
    );
    return accepted;
  }

  /** Deletes a schedule permanently; its jobs stay. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#caller.call('deleteSchedule', { path: { id } }, options);
  }
}
