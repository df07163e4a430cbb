import {
  AppError,
  describeVerdict,
  MAX_EVIDENCE_CHARS,
  type PageFound,
  type PageOutcome,
  type ScrapeOptions,
  toFailure,
  type Verdict,
  type Warning,
} from '@gleaner/contracts';
import type { RepeatedText, Stores } from '@gleaner/storage';
import QuickLRU from 'quick-lru';

/** Collaborators of watching texts. */
export interface RepeatedTextsDeps {
  readonly stores: Pick<Stores, 'clock' | 'repeatedTexts'>;
  readonly terms: { find(jobId: string): Promise<{ readonly options: ScrapeOptions } | undefined> };
  readonly retentionMs: number;
}

/** Places that may show a text; at later ones it is not content. */
const MAX_PLACES = 5;
const MAX_JOBS = 50;
/** Texts of a job of which the first place is remembered. */
const MAX_FIRST = 1000;
/** Texts of a job that are stored, since two places or more have shown them. */
const MAX_STORED = 50;
/** Longer ones say nothing more to a reader. */
const MAX_PLACE_CHARS = 200;
/** Other orchestrators may store texts of the job at the same time. */
const MAX_TRIES = 5;
const GRACE_MS = 30 * 24 * 3600 * 1000;

/** Outcome of an attempt at a page of a job. */
interface JobOutcome {
  readonly jobId: string;
  readonly outcome: PageOutcome['outcome'] | { readonly kind: 'overdue' };
}

type Found = JobOutcome & { readonly outcome: PageFound & { readonly thinHash: string } };

/**
 * Watches the texts of thin pages for one that is the answer to many URLs. The first place of a text is remembered by the process;
 * from the second on, places are stored with the job.
 */
export class RepeatedTexts {
  readonly #deps: RepeatedTextsDeps;
  readonly #first = new QuickLRU<string, QuickLRU<string, string>>({ maxSize: MAX_JOBS });

  constructor(deps: RepeatedTextsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the outcomes with the verdict `notFound` for pages whose text more than five places of the job have shown, from the
   * sixth on; they fail if the job says so. Earlier ones are stored already, and keep their verdicts.
   */
  async judge<Outcome extends JobOutcome>(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    const inDoubt = outcomes.filter((each) => isInDoubt(each));
    if (inDoubt.length === 0) return outcomes;
    const judged = new Map<Outcome, JobOutcome['outcome']>();
    for (const [jobId, ofJob] of Map.groupBy(inDoubt, (each) => each.jobId)) {
      const again = ofJob.filter((each) => this.#isAgain(each));
      const options = again.length > 0 ? (await this.#deps.terms.find(jobId))?.options : undefined;
      if (!options) continue;
      const places = await this.#store(jobId, again);
      for (const each of again) {
        const shown = places.get(each.outcome.thinHash) ?? [];
        const rank = shown.findIndex((place) => isLike(place, placeOf(each)));
        if (shown.length <= MAX_PLACES || (rank >= 0 && rank < MAX_PLACES)) continue;
        judged.set(each, suspectOf(each.outcome, shown, options.onSuspect));
      }
    }
    return outcomes.map((each) => ({ ...each, outcome: judged.get(each) ?? each.outcome }));
  }

  /** Remembers the first place of a text; returns true if it is not the first that shows it. */
  #isAgain(found: Found): boolean {
    const { jobId, outcome } = found;
    const first = this.#first.get(jobId) ?? new QuickLRU<string, string>({ maxSize: MAX_FIRST });
    this.#first.set(jobId, first);
    const place = first.get(outcome.thinHash);
    if (place === undefined) first.set(outcome.thinHash, placeOf(found));
    return place !== undefined && !isLike(place, placeOf(found));
  }

  /** Adds places to the stored texts of a job; returns the places by text. */
  async #store(jobId: string, founds: readonly Found[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const { stores, retentionMs } = this.#deps;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { revision, texts } = await stores.repeatedTexts.find(jobId);
      const places = new Map(texts.map(({ hash, places: shown }) => [hash, [...shown]]));
      if (!this.#addPlaces(places, founds)) return places;
      const expiresAt = new Date(stores.clock.nowMs() + retentionMs + GRACE_MS);
      const added = [...places].map(([hash, shown]): RepeatedText => ({ hash, places: shown }));
      if (await stores.repeatedTexts.replace(jobId, { revision, texts: added, expiresAt })) return places;
    }
    return new Map();
  }

  /** Adds the places of texts while there is room; returns true if any was new. */
  #addPlaces(places: Map<string, string[]>, founds: readonly Found[]): boolean {
    let hasNew = false;
    for (const found of founds) {
      const { jobId, outcome } = found;
      const first = this.#first.get(jobId)?.get(outcome.thinHash);
      if (!places.has(outcome.thinHash)) {
        if (places.size >= MAX_STORED || first === undefined) continue;
        places.set(outcome.thinHash, [first]);
      }
      const shown = places.get(outcome.thinHash) ?? [];
      if (shown.length > MAX_PLACES || shown.some((place) => isLike(place, placeOf(found)))) continue;
      shown.push(placeOf(found));
      hasNew = true;
    }
    return hasNew;
  }
}

/** Returns true for a thin page with an inferred verdict, unless it is the start page of a site. */
function isInDoubt<Outcome extends JobOutcome>(collected: Outcome): collected is Outcome & Found {
  const { outcome } = collected;
  if (outcome.kind !== 'found' || outcome.thinHash === undefined || !outcome.verdict) return false;
  const { page, basis } = outcome.verdict;
  const isGuess = basis === 'inferred' && (page === 'content' || page === 'notFound');
  return isGuess && new URL(outcome.url).pathname !== '/';
}

/**
 * Returns true for places whose names, the last segments of their paths, are the same: sites have one page in the folders of
 * several languages.
 */
function isLike(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

function nameOf(place: string): string {
  return place.split('/').findLast((segment) => segment !== '') ?? '';
}

/** Returns the host and the path of a page: URLs that differ in their queries alone are one place. */
function placeOf({ outcome: { url } }: Found): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.slice(-MAX_PLACE_CHARS);
}

function suspectOf(
  found: PageFound,
  places: readonly string[],
  onSuspect: 'keep' | 'fail' | undefined,
): JobOutcome['outcome'] {
  const evidence = `also at ${places.slice(0, 2).join(' and ')}`.slice(0, MAX_EVIDENCE_CHARS);
  const signals = [{ code: 'REPEATED_TEXT' as const, evidence }, ...(found.verdict?.signals ?? [])];
  const verdict: Verdict = { page: 'notFound', basis: 'observed', signals };
  if (onSuspect !== 'fail') return { ...found, verdict };
  const { statusCode: targetStatusCode, attempts } = found;
  const error = new AppError('NOT_FOUND', { message: describeVerdict(verdict), targetStatusCode });
  return { kind: 'failed', failure: toFailure(error), attempts };
}

/** Texts that a warning of a job names. */
const MAX_NAMED = 3;

/** Returns the warnings of a job about texts that more than five of its places have shown. */
export async function warningsOfTexts(
  jobId: string,
  { stores }: { readonly stores: Pick<Stores, 'repeatedTexts'> },
): Promise<Warning[]> {
  const { texts } = await stores.repeatedTexts.find(jobId);
  const repeated = texts.filter(({ places }) => places.length > MAX_PLACES).slice(0, MAX_NAMED);
  return repeated.map(({ places }) => ({
    code: 'PAGE_SUSPECT',
    message: `More than ${MAX_PLACES} URLs with different names showed the same little text. The first ${MAX_PLACES} kept their verdicts, such as ${places.slice(0, 2).join(' and ')}; later ones are notFound (REPEATED_TEXT).`,
  }));
}
