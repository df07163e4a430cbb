import { createHash } from 'node:crypto';
import {
  AppError,
  defined,
  type PackedPage,
  type SnapshotCommand,
  type SnapshotSuggest,
} from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import { type SharedPlaces, takePlace } from '../../admission/take-place.ts';
import { JsonText, StreamedResponse } from '../../responses/responses.ts';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import { checkExtractionAlone } from '../scrape/check-extraction.ts';
import { askForContent } from './ask-for-content.ts';

/** Collaborators of the handlers. */
export type SnapshotDeps = CommandDeps &
  Pick<Stores, 'clock' | 'snapshots'> & {
    /** Returns the script of the console for views; undefined without a console. */
    readonly readPicker: () => Promise<string | undefined>;
    readonly snapshotPlaces: SharedPlaces;
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
    const { body: request } = call;
    requireApart(request);
    const ids = request.alsoOn ?? [];
    const others = await Promise.all(ids.map((id) => findPage(id, call, deps)));
    return new JsonText(await carryOut({ type: 'suggest', request, others }, call, deps));
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

/** Throws INVALID_REQUEST if an element is to be selected and not to be selected. */
function requireApart({ picks, not = [] }: SnapshotSuggest): void {
  const excluded = new Set(not);
  const details = picks.flatMap((pick, index) => {
    const message = `is the element ${pick}, which is also in not: leave it out of one of them`;
    return excluded.has(pick) ? [{ path: `picks.${index}`, message }] : [];
  });
  if (details.length === 0) return;
  throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
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
  { clock, snapshots }: SnapshotDeps,
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
