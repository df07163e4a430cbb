import type { Caller } from '../caller.ts';
import {
  type AnyData,
  createListing,
  type Format,
  type FormatsOf,
  type Listing,
  type RequestedData,
  type Selectors,
} from '../data-of.ts';
import type {
  Change,
  CreateJobRequest,
  Job,
  JobUrl,
  JobWithResults,
  PageFailure,
  PageSuccess,
  Sink,
  Trace,
} from '../generated/openapi.ts';
import {
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  keyOf,
  type Loose,
  type QueryOf,
} from '../operation-types.ts';
import { joinBytes, readChunks, readValues, resumeLines } from '../read-lines.ts';
import { type WatchOptions, watchJob } from '../watch-job.ts';

/** Id of a job. One that `create` returns tells the compiler the data of its results. */
export type JobId<Result = unknown> = string & { readonly [RESULT]?: Result };
declare const RESULT: unique symbol;

/** A job that knows the type of its results. */
export type CreatedJob<Result> = Omit<Job, 'id'> & { readonly id: JobId<Result> };

/** Result of one URL: `error` is there when it failed, else `data`, `formats` or both. */
export type JobResult<Data = AnyData, Formats = PageSuccess['formats']> =
  | (Omit<PageSuccess, 'data' | 'formats'> & { data: Data; formats: Formats; error?: undefined })
  | PageFailure;

/** Request of a job; the options apply to every URL. */
export type JobRequest<Given, Formats> = Loose<Omit<CreateJobRequest, 'selectors' | 'formats'>> & {
  readonly selectors?: Given;
  readonly formats?: Formats;
};

/** Format of a file of results. */
export type ResultFormat = NonNullable<QueryOf<'getJobResults'>['format']>;

/** Difference of a page from the crawl before. */
export type PageChange = NonNullable<QueryOf<'getJobResults'>['change']>;

/** Kind of page behind a result: the requested one (`content`), or a page that the site sent instead. */
export type PageKind = keyof NonNullable<Job['verdicts']>;

/** Most changes that are read at once. */
const LARGEST_PAGE = 1000;

/** Options of a call that yields results. */
export interface ResultOptions extends CallOptions {
  readonly change?: PageChange | undefined;
  /** Only results of pages of these kinds. */
  readonly verdict?: PageKind[] | undefined;
}

/** Jobs: many pages, whose results are fetched later. */
export class Jobs {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a job. It is created once, however often the request has to be sent. */
  async create<
    const Given extends Selectors | undefined = undefined,
    const Formats extends readonly Format[] | undefined = undefined,
  >(
    request: JobRequest<Given, Formats>,
    options: CreateOptions = {},
  ): Promise<CreatedJob<JobResult<RequestedData<Given, Formats>, FormatsOf<Formats>>>> {
    const body = request as unknown as CreateJobRequest;
    const { job } = await this.#caller.call('createJob', { body, headers: keyOf(options) }, options);
    return job as CreatedJob<never>;
  }

  /** Creates a job of the same URLs and options, or of the URLs that failed. */
  async rerun(id: string, body: BodyOf<'rerunJob'> = {}, options: CreateOptions = {}): Promise<Job> {
    const input = { path: { id }, body, headers: keyOf(options) };
    return (await this.#caller.call('rerunJob', input, options)).job;
  }

  /** Creates a job that extracts other data from the snapshots of a finished job, without fetching the pages. */
  async extract(id: string, body: BodyOf<'extractJob'> = {}, options: CreateOptions = {}): Promise<Job> {
    const input = { path: { id }, body, headers: keyOf(options) };
    return (await this.#caller.call('extractJob', input, options)).job;
  }

  /** Lists jobs, newest first. */
  list(query: QueryOf<'listJobs'> = {}, options?: CallOptions): Listing<Job> {
    return createListing('jobs', query, options, (each, call) =>
      this.#caller.call('listJobs', { query: each }, call),
    );
  }

  /** Lists the sinks that jobs may write to. */
  async sinks(options?: CallOptions): Promise<Sink[]> {
    return (await this.#caller.call('listSinks', {}, options)).sinks;
  }

  /** Returns a job with its options and one page of its results. */
  async get(id: string, query: QueryOf<'getJob'> = {}, options?: CallOptions): Promise<JobWithResults> {
    return (await this.#caller.call('getJob', { path: { id }, query }, options)).job;
  }

  /** Yields the job whenever it has changed, until it has finished. Survives restarts of the service. */
  watch(id: string, options?: WatchOptions): AsyncGenerator<Job> {
    return watchJob(this.#caller, id, options);
  }

  /** Returns the job when it has finished. */
  async wait(id: string, options?: WatchOptions): Promise<Job> {
    let last: Job | undefined;
    for await (const job of this.watch(id, options)) last = job;
    return last as Job;
  }

  /**
   * Yields the results so far, in the order of the URLs: all, those of some kinds of pages, or, of a crawl that is compared with
   * another, those with one `change`. However many there are, few are in memory at a time.
   */
  async *results<Result = JobResult>(
    id: JobId<Result> | string,
    { change, verdict, ...options }: ResultOptions = {},
  ): AsyncGenerator<Result> {
    yield* readValues<Result>(this.download(id, { format: 'ndjson', change, verdict }, options));
  }

  /** Returns true when the job had finished before the response began: until then, results can come before others. */
  async #hadFinished(id: string, { headers }: Response, options?: CallOptions): Promise<boolean> {
    try {
      const { completedAt } = await this.get(id, { resultsLimit: 0 }, options);
      return Date.parse(completedAt ?? '') < Date.parse(headers.get('date') ?? '');
    } catch {
      return false;
    }
  }

  /** Yields the bytes of a file of the results so far. `rows` makes each entry of a list a row of the CSV or Parquet. */
  async *download(
    id: string,
    query: {
      readonly format: ResultFormat;
      readonly rows?: string | undefined;
      readonly columns?: string | undefined;
      readonly pages?: 'records' | 'all' | undefined;
      readonly change?: PageChange | undefined;
      readonly verdict?: PageKind[] | undefined;
      /** Results to skip. */
      readonly offset?: number | undefined;
    },
    options?: CallOptions,
  ): AsyncGenerator<Uint8Array> {
    const open = (lines: number) => {
      const offset = (query.offset ?? 0) + lines || undefined;
      return this.#caller.open('getJobResults', { path: { id }, query: { ...query, offset } }, options);
    };
    if (query.format !== 'ndjson') return yield* readChunks(await open(0));
    yield* resumeLines({ open, isStable: (response) => this.#hadFinished(id, response, options) });
  }

  /** Lists what a run or a crawl found changed since the one before it: each value, over all pages. */
  changes(id: string, query: QueryOf<'getJobChanges'> = {}, options?: CallOptions): Listing<Change> {
    const pages = { limit: LARGEST_PAGE, ...query };
    return createListing('changes', pages, options, (each, call) =>
      this.#caller.call('getJobChanges', { path: { id }, query: each }, call),
    );
  }

  /** Yields the URLs with their states, whether they were processed or not. */
  async *urls(id: string, query: QueryOf<'getJobUrls'> = {}, options?: CallOptions): AsyncGenerator<JobUrl> {
    const input = { path: { id }, query, headers: { accept: 'application/x-ndjson' } };
    yield* readValues<JobUrl>(readChunks(await this.#caller.open('getJobUrls', input, options)));
  }

  /** Returns the screenshot of the URL at this index: a PNG, unless the job asked for another format. */
  async screenshot(id: string, index: number, options?: CallOptions): Promise<Uint8Array> {
    const path = { id, index: String(index) };
    const chunks: Uint8Array[] = [];
    for await (const chunk of readChunks(await this.#caller.open('getJobScreenshot', { path }, options))) {
      chunks.push(chunk);
    }
    return joinBytes(chunks);
  }

  /** Returns where the time of the URL at this index went: its attempts and their stages. */
  async trace(id: string, index: number, options?: CallOptions): Promise<Trace> {
    const path = { id, index: String(index) };
    return (await this.#caller.call('getJobTrace', { path }, options)).trace;
  }

  /** Cancels a job that has not finished. Completed pages stay. */
  async cancel(id: string, options?: CallOptions): Promise<Job> {
    return (await this.#caller.call('cancelJob', { path: { id } }, options)).job;
  }
}
