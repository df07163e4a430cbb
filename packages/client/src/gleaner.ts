import { type Caller, type ClientOptions, createCaller } from './caller.ts';
import type { Format, FormatsOf, RequestedData, Selectors } from './data-of.ts';
import type { ScrapeRequest, ScrapeResponse, Trace, Usage } from './generated/openapi.ts';
import {
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  type InputOf,
  keyOf,
  type Loose,
  type OperationName,
  type QueryOf,
  type ResultOf,
} from './operation-types.ts';
import { Channels } from './resources/channels.ts';
import { Datasets } from './resources/datasets.ts';
import { Files } from './resources/files.ts';
import { Jobs } from './resources/jobs.ts';
import { Keys } from './resources/keys.ts';
import { Profiles } from './resources/profiles.ts';
import { Recipes } from './resources/recipes.ts';
import { Schedules } from './resources/schedules.ts';
import { Secrets } from './resources/secrets.ts';
import { Snapshots } from './resources/snapshots.ts';
import { Webhooks } from './resources/webhooks.ts';

/** Request of a scrape. */
export type PageRequest<Given, Formats> = Loose<Omit<ScrapeRequest, 'selectors' | 'formats'>> & {
  readonly selectors?: Given;
  readonly formats?: Formats;
};

/** Result of a scrape; `data` and `formats` have the types that the request asks for. */
export type ScrapeResult<Given, Formats> = Omit<ScrapeResponse, 'success' | 'data' | 'formats'> & {
  data: RequestedData<Given, Formats>;
  formats: FormatsOf<Formats>;
};

/** Request of an extraction. */
export type ExtractRequest<Given, Formats> = Loose<Omit<BodyOf<'extract'>, 'selectors' | 'formats'>> & {
  readonly selectors?: Given;
  readonly formats?: Formats;
};

/** Result of an extraction; `data` and `formats` have the types that the request asks for. */
export type ExtractResult<Given, Formats> = Omit<ResultOf<'extract'>, 'success' | 'data' | 'formats'> & {
  data: RequestedData<Given, Formats>;
  formats: FormatsOf<Formats>;
};

/** A client of one Gleaner service. */
export class Gleaner {
  readonly jobs: Jobs;
  readonly schedules: Schedules;
  readonly datasets: Datasets;
  readonly recipes: Recipes;
  readonly profiles: Profiles;
  readonly webhooks: Webhooks;
  readonly channels: Channels;
  readonly keys: Keys;
  readonly secrets: Secrets;
  readonly snapshots: Snapshots;
  readonly files: Files;
  readonly #caller: Caller;

  /** Throws INVALID_OPTION when the address or the key cannot be one. Nothing is sent. */
  constructor(options: ClientOptions) {
    this.#caller = createCaller(options);
    this.jobs = new Jobs(this.#caller);
    this.schedules = new Schedules(this.#caller);
    this.datasets = new Datasets(this.#caller);
    this.recipes = new Recipes(this.#caller);
    this.profiles = new Profiles(this.#caller);
    this.webhooks = new Webhooks(this.#caller);
    this.channels = new Channels(this.#caller);
    this.keys = new Keys(this.#caller);
    this.secrets = new Secrets(this.#caller);
    this.snapshots = new Snapshots(this.#caller);
    this.files = new Files(this.#caller);
  }

  /** Scrapes one page and waits for its data. */
  async scrape<
    const Given extends Selectors | undefined = undefined,
    const Formats extends readonly Format[] | undefined = undefined,
  >(request: PageRequest<Given, Formats>, options?: CallOptions): Promise<ScrapeResult<Given, Formats>> {
    const { success, ...result } = await this.call(
      'scrape',
      { body: request as unknown as ScrapeRequest },
      options,
    );
    return result as ScrapeResult<Given, Formats>;
  }

  /** Extracts data from HTML, as from a page that was scraped; nothing is fetched, and it costs nothing. */
  async extract<
    const Given extends Selectors | undefined = undefined,
    const Formats extends readonly Format[] | undefined = undefined,
  >(request: ExtractRequest<Given, Formats>, options?: CallOptions): Promise<ExtractResult<Given, Formats>> {
    const { success, ...result } = await this.call(
      'extract',
      { body: request as unknown as BodyOf<'extract'> },
      options,
    );
    return result as ExtractResult<Given, Formats>;
  }

  /** Lists the URLs of a site: its sitemaps, and the links of its first pages, at one credit for each of them. */
  async map(body: BodyOf<'map'>, options?: CallOptions): Promise<Omit<ResultOf<'map'>, 'success'>> {
    const { success, ...result } = await this.call('map', { body }, options);
    return result;
  }

  /** Searches the web; with `scrape`, the results have their pages, or a `job` scrapes them if there are more than ten. */
  async search(
    body: BodyOf<'search'>,
    options: CreateOptions = {},
  ): Promise<Omit<ResultOf<'search'>, 'success'>> {
    const { success, ...found } = await this.call('search', { body, headers: keyOf(options) }, options);
    return found;
  }

  /** Returns where the time of a scrape went: its attempts and their stages. `requestId` is its `X-Request-Id`. */
  async trace(requestId: string, options?: CallOptions): Promise<Trace> {
    return (await this.call('getTrace', { path: { requestId } }, options)).trace;
  }

  /** Returns the credits used and left, by day and by operation. */
  async usage(query: QueryOf<'getUsage'> = {}, options?: CallOptions): Promise<Usage> {
    return (await this.call('getUsage', { query }, options)).usage;
  }

  /**
   * Returns what a scrape, a job, a crawl or a schedule may cost, and what would make it fail; nothing is created. With `look`, a few
   * of its pages are fetched to say what they are.
   */
  async estimate(
    body: BodyOf<'estimate'>,
    { look, ...options }: CallOptions & { readonly look?: boolean } = {},
  ): Promise<ResultOf<'estimate'>['estimate']> {
    const input = { body, ...(look && { query: { look: 'true' as const } }) };
    return (await this.call('estimate', input, options)).estimate;
  }

  /** Returns the processes and the queues of the service; needs an admin key. */
  async system(options?: CallOptions): Promise<ResultOf<'getSystem'>['system']> {
    return (await this.call('getSystem', {}, options)).system;
  }

  /** Resolves when the service can do its work; needs no key. */
  async ready(options?: CallOptions): Promise<void> {
    await this.call('getReadiness', {}, options);
  }

  /** Resolves when the service answers; needs no key. */
  async live(options?: CallOptions): Promise<void> {
    await this.call('getLiveness', {}, options);
  }

  /** Calls any operation of the OpenAPI document by its name, and returns its JSON. */
  call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): Promise<ResultOf<Name>> {
    return this.#caller.call(name, input, options);
  }
}
