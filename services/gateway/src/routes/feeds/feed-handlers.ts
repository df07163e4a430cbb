import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type FeedKind, type ScheduleFeed, urlsOf } from '@gleaner/contracts';
import type { StoredFeed, Stores } from '@gleaner/storage';
import { FileResponse } from '../../responses/responses.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import { findSchedule } from '../schedules/find-schedule.ts';
import { collectEntries, type EntryDeps, type FeedEntry } from './feed-entries.ts';
import { type Feed, renderAtom, renderJsonFeed } from './render-feed.ts';

/** Collaborators of the handlers. */
export interface FeedDeps extends EntryDeps, Pick<Stores, 'clock'> {
  readonly feeds: Pick<Stores['feeds'], 'ensureFeed' | 'rotateFeed'>;
  readonly schedules: Pick<Stores['schedules'], 'findSchedule'>;
}

type FeedRoute = 'getScheduleFeed' | 'rotateScheduleFeed' | 'readScheduleAtom' | 'readScheduleFeed';

/** Handlers of the feeds of schedules, for readers of feeds. */
export const feedHandlers: Handlers<FeedRoute, FeedDeps> = {
  async getScheduleFeed({ caller, params }, deps) {
    const { id: scheduleId, accountId } = await findSchedule(caller, params.id, deps);
    const feed = await deps.feeds.ensureFeed({ scheduleId, accountId }, deps.clock.now());
    return { success: true, feed: describeFeed(feed) };
  },

  async rotateScheduleFeed({ caller, params }, deps) {
    const { id: scheduleId, accountId } = await findSchedule(caller, params.id, deps);
    const feed = await deps.feeds.rotateFeed({ scheduleId, accountId }, deps.clock.now());
    return { success: true, feed: describeFeed(feed) };
  },

  async readScheduleAtom(call, deps) {
    return answer(await readFeed(call, deps), 'application/atom+xml', renderAtom);
  },

  async readScheduleFeed(call, deps) {
    return answer(await readFeed(call, deps), 'application/feed+json', renderJsonFeed);
  },
};

function describeFeed({ scheduleId, token, createdAt }: StoredFeed): ScheduleFeed {
  const path = `/v1/schedules/${scheduleId}/feed`;
  return {
    token,
    atomUrl: `${path}.atom?token=${token}`,
    jsonUrl: `${path}.json?token=${token}`,
    createdAt: createdAt.toISOString(),
  };
}

type ReadCall = Pick<CheckedCall<'readScheduleAtom'>, 'caller' | 'params' | 'query' | 'signal'>;

/** Reads a feed. It is as new as its newest entry, or the settings of the schedule. */
async function readFeed({ caller, params, query, signal }: ReadCall, deps: FeedDeps): Promise<Feed> {
  const schedule = await findSchedule(caller, params.id, deps);
  const { id, settings, updatedAt } = schedule;
  const [page] = urlsOf(settings);
  const kinds: readonly FeedKind[] = query.only ? [query.only] : ['rules', 'changes'];
  const entries = await collectEntries(schedule, kinds, deps, signal);
  return {
    id: `urn:gleaner:${id}`,
    title: settings.name,
    url: deps.consoleUrl === undefined ? page : `${deps.consoleUrl}/schedules/${id}`,
    updatedAt: new Date(Math.max(updatedAt.getTime(), ...entries.map(({ at }: FeedEntry) => at.getTime()))),
    entries,
  };
}

function answer(feed: Feed, contentType: string, render: (feed: Feed) => string): FileResponse {
  const body = Buffer.from(render(feed));
  return new FileResponse({
    contentType: `${contentType}; charset=utf-8`,
    bytes: body.length,
    version: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    modifiedAt: feed.updatedAt,
    open: () => Readable.from([body]),
  });
}
