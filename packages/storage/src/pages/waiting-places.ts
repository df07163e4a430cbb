import type { DriverCollection } from '../document-schema.ts';
import { type HostShare, hostOrderOf, hostsAfter, inShare } from './host-share.ts';
import type { PageDocument } from './page-model.ts';
import { isDueBy } from './page-queries.ts';

/** Bounds of a count of waiting pages. */
export interface WaitingBounds {
  /** Only pages that may be dispatched by this time. */
  readonly dueBy: Date;
  /** Hosts whose pages are left out. */
  readonly exceptHosts: readonly string[];
  /** Only pages of these hosts. */
  readonly share?: HostShare | undefined;
  /** Number of pages that is enough. */
  readonly atMost: number;
}

const PAGES_PER_QUERY = 64;
/** A job whose hosts have thousands of pages each takes one query for each host. */
const MAX_QUERIES = 25;

/** Reads that show where pages wait, without the pages themselves. */
export class WaitingPlaces {
  readonly #pages: DriverCollection<PageDocument>;

  constructor(pages: DriverCollection<PageDocument>) {
    this.#pages = pages;
  }

  /** Returns the hosts of waiting pages of small jobs, one entry for each page. */
  async findWaitingPlaces(
    jobIds: readonly string[],
    { dueBy, exceptHosts, share, atMost }: WaitingBounds,
  ): Promise<Pick<PageDocument, 'jobId' | 'host'>[]> {
    if (jobIds.length === 0) return [];
    return await this.#pages
      .find(
        {
          state: 'waiting',
          jobId: { $in: [...jobIds] },
          ...isDueBy(dueBy),
          ...inShare(share),
          ...(exceptHosts.length > 0 && { host: { $nin: [...exceptHosts] } }),
        },
        { projection: { _id: 0, jobId: 1, host: 1 } },
      )
      .limit(atMost)
      .toArray();
  }

  /**
   * Counts waiting pages of a large job by host, until there are enough of them when each host counts up to `perHost`.
   * Hops from host to host on the index, so that a host with many pages costs one query.
   */
  async countWaitingByHost(
    jobId: string,
    { dueBy, exceptHosts, share, atMost, perHost }: WaitingBounds & { readonly perHost: number },
  ): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    let sum = 0;
    let afterHost = '';
    for (let query = 0; query < MAX_QUERIES && sum < atMost; query++) {
      const found = await this.#pages
        .find(
          {
            state: 'waiting',
            jobId,
            ...hostsAfter(afterHost, share, exceptHosts),
            ...isDueBy(dueBy),
          },
          { projection: { _id: 0, host: 1 } },
        )
        .sort({ [hostOrderOf(share)]: 1, 'crawled.depth': 1, index: 1 })
        .limit(PAGES_PER_QUERY)
        .toArray();
      for (const { host } of found) {
        const count = counts.get(host) ?? 0;
        if (count >= perHost) continue;
        counts.set(host, count + 1);
        sum += 1;
      }
      if (found.length < PAGES_PER_QUERY) break;
      afterHost = found.at(-1)?.host ?? '';
    }
    return counts;
  }
}
