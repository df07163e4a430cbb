import { createHash } from 'node:crypto';
import {
  AppError,
  defined,
  type ErrorDetail,
  type ModelExtract,
  type PackedPage,
  type SnapshotCommand,
  type SnapshotSuggest,
} from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import { type SharedPlaces, takePlace } from '../../admission/take-place.ts';
import { expectSet } from '../../call.ts';
import { JsonText, StreamedResponse } from '../../responses/responses.ts';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import { checkExtractionAlone } from '../scrape/check-extraction.ts';
import { type ChargeDeps, holdCredits } from '../scrape/hold-credits.ts';
import { findModelErrors, type ModelRules, requireModel, withModelPrice } from '../scrape/model-rules.ts';
import { askForContent, askWithin } from './ask-for-content.ts';

/** Collaborators of the handlers. */
export type SnapshotDeps = CommandDeps &
  Pick<Stores, 'snapshots'> &
  ChargeDeps & {
    readonly rules: ModelRules;
    /** Returns the script of the console for views; undefined without a console. */
    readonly readPicker: () => Promise<string | undefined>;
    readonly snapshotPlaces: SharedPlaces;
    /** Places of calls that wait for a model. */
    readonly solvePlaces: SharedPlaces;
  };

type SnapshotRoute = 'extractSnapshot' | 'suggestSelectors' | 'viewSnapshot';
type SnapshotCall = Pick<CheckedCall<SnapshotRoute>, 'caller' | 'params' | 'signal'>;

/** Tasks on snapshots that one account may have at once at a gateway; there are two places more for others. */
export const SNAPSHOTS_PER_ACCOUNT = 6;
export const SNAPSHOT_PATIENCE_MS = 15_000;

const TOO_MANY = {
  message: `Other snapshots of the account are being read: ${SNAPSHOTS_PER_ACCOUNT} may be at once.`,
  suggestion: 'Wait for their responses first, or try again in a few seconds.',
};

/** Handlers of `/v1/snapshots`: they read the page, and scrapers do the work on it. */
export const snapshotHandlers: Handlers<SnapshotRoute, SnapshotDeps> = {
  async extractSnapshot(call, deps) {
    const { body: request } = call;
    checkExtractionAlone(request);
    return new JsonText(await carryOut({ type: 'extract', request }, call, deps));
  },

  async suggestSelectors(call, deps) {
    const { alsoOn = [], schema, prompt, locale, maxCredits, ...picked } = call.body;
    const others = () => Promise.all(alsoOn.map((id) => findPage(id, call, deps)));
    if (schema !== undefined) {
      requireNoPicks(picked);
      const extract = { schema, ...defined({ prompt, maxCredits }) };
      return new JsonText(await solve({ extract, others, ...defined({ locale }) }, call, deps));
    }
    const request = requirePicks(picked, defined({ prompt, locale, maxCredits }));
    return new JsonText(await carryOut({ type: 'suggest', request, others: await others() }, call, deps));
  },

  async viewSnapshot(call, deps) {
    const dest = call.headers['sec-fetch-dest'];
    // Where it is opened by itself, no console listens to the script. Browsers leave the header out on plain http beyond loopback.
    const script = dest === undefined || dest === 'iframe' ? await deps.readPicker() : undefined;
    const html = await carryOut({ type: 'view', ...defined({ script }) }, call, deps);
    return new StreamedResponse(viewHeaders(script), async function* () {
      yield html;
    });
  },
};

/** Elements in a suggestion. */
type Picked = Pick<SnapshotSuggest, 'kind' | 'picks' | 'not' | 'within'>;

/** Throws INVALID_REQUEST for elements beside a schema. */
function requireNoPicks(picked: Picked): void {
  refuse(
    Object.keys(picked).map((path) => ({
      path,
      message: 'is for picked elements: leave it out with a schema',
    })),
  );
}

/** Returns picked elements. Throws INVALID_REQUEST without them, and for options of a schema. */
function requirePicks({ kind, picks, ...more }: Picked, ofSchema: object) {
  const missing = Object.entries({ kind, picks }).flatMap(([path, value]) =>
    value === undefined ? [{ path, message: 'is required, or a schema' }] : [],
  );
  const unused = Object.keys(ofSchema).map((path) => ({ path, message: 'needs a schema' }));
  refuse([...missing, ...unused]);
  const request = { kind: expectSet(kind, 'kind'), picks: expectSet(picks, 'picks'), ...more };
  requireApart(request);
  return request;
}

/** Throws INVALID_REQUEST if an element is to be selected and not to be selected. */
function requireApart({
  picks,
  not = [],
}: {
  readonly picks: readonly number[];
  readonly not?: number[];
}): void {
  const excluded = new Set(not);
  const details = picks.flatMap((pick, index) => {
    const message = `is the element ${pick}, which is also in not: leave it out of one of them`;
    return excluded.has(pick) ? [{ path: `picks.${index}`, message }] : [];
  });
  refuse(details);
}

function refuse(details: readonly ErrorDetail[]): void {
  if (details.length === 0) return;
  throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}

/** Schemas that one account may have solved at once at a gateway; there are two places more for others. */
export const SOLVES_PER_ACCOUNT = 3;

const TOO_MANY_SOLVED = {
  message: `Selectors for other schemas of the account are being found: ${SOLVES_PER_ACCOUNT} may be at once.`,
  suggestion: 'Wait for their responses first, or try again in a minute.',
};

/** Time for a model and the selectors. */
const SOLVE_MS = 85_000;

interface Solving {
  readonly extract: ModelExtract;
  readonly locale?: string;
  readonly others: () => Promise<PackedPage[]>;
}

/** Finds selectors for a schema: check → hold the price of the model → ask a scraper → charge. */
async function solve(
  { extract: given, others, ...more }: Solving,
  call: SnapshotCall & Pick<CheckedCall<SnapshotRoute>, 'id'>,
  deps: SnapshotDeps,
): Promise<Buffer> {
  requireModel({ extract: given }, deps.rules);
  refuse(findModelErrors({ extract: given }, 'schema'));
  const { extract } = withModelPrice({ extract: given }, deps.rules);
  using _place = await takePlace(call, deps.solvePlaces, TOO_MANY_SOLVED);
  const page = await findPage(call.params.id ?? '', call, deps);
  const deadlineMs = Date.now() + SOLVE_MS;
  const task = { type: 'solve' as const, extract, deadlineMs, others: await others(), ...more };
  const { id, caller, signal } = call;
  const held = await holdCredits({ id, caller, credits: extract.maxCredits ?? 0, deadlineMs }, deps);
  const command = { accountId: caller.account.id, page, task };
  const { content, credits } = await askWithin(SOLVE_MS, command, signal, deps).catch(
    async (error: unknown) => {
      await held.release();
      throw error;
    },
  );
  await held.charge({ base: 0, llm: credits });
  return content;
}

/** Sends a task with its page to a scraper and returns the content of the reply. Throws SNAPSHOT_NOT_FOUND, and the error of the scraper. */
async function carryOut(
  task: SnapshotCommand['task'],
  call: SnapshotCall,
  deps: SnapshotDeps,
): Promise<Buffer> {
  using _place = await takePlace(call, deps.snapshotPlaces, TOO_MANY);
  const page = await findPage(call.params.id ?? '', call, deps);
  const command = { accountId: call.caller.account.id, page, task };
  return await askForContent(command, call.signal, deps);
}

async function findPage(
  id: string,
  { caller }: Pick<SnapshotCall, 'caller'>,
  { clock, snapshots }: Pick<SnapshotDeps, 'clock' | 'snapshots'>,
): Promise<PackedPage> {
  const page = await snapshots.findSnapshot(id, caller.account.id, clock.now());
  if (page) return page;
  throw new AppError('SNAPSHOT_NOT_FOUND', { message: `There is no snapshot "${id.slice(0, 100)}".` });
}

/**
 * Returns the headers of the view of a snapshot. They isolate the page also where its URL is opened directly: an opaque origin
 * without requests, forms, popups and navigation of others, in which at most one script runs: ours, named by its SHA-256. That
 * the page is cleaned as well comes on top.
 */
function viewHeaders(script: string | undefined): Readonly<Record<string, string>> {
  const hash = script === undefined ? undefined : createHash('sha256').update(script).digest('base64');
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      ...(hash === undefined ? ['sandbox'] : ['sandbox allow-scripts', `script-src 'sha256-${hash}'`]),
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      'font-src data:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
    'Cache-Control': 'private, no-store',
    'X-DNS-Prefetch-Control': 'off',
  };
}
