import { describe, expect, it } from '@jest/globals';
import { HostPaces } from './host-pace.ts';

const RULES = { maxPagesPerHost: 50, hostDelayMs: 0, maxPauseMs: 60_000 };
const CRAWL = { id: 'job_1', politeness: { maxPagesPerHost: 6, delayMsOf: () => 0 } };

/** A crawl of one host, at a time that the test sets. */
function startCrawl() {
  const paces = new HostPaces(RULES);
  let nowMs = 1_000_000;
  const roomOf = () => paces.roomOf('a.test', CRAWL, nowMs);
  const end = (sinceMs: number, because: 'ended' | 'strained' | 'unsent') => {
    const lane = { jobId: CRAWL.id, host: 'a.test', sinceMs };
    paces.endPage({ ...lane, because }, nowMs);
    paces.endLane({ ...lane, fetched: because === 'unsent' ? 0 : 1 }, nowMs);
  };
  return {
    roomOf,
    end,
    /** Sends a page and ends it after 100 ms. */
    run(because: 'ended' | 'strained' | 'unsent', times = 1) {
      for (let time = 0; time < times; time += 1) {
        const sinceMs = nowMs;
        paces.start('a.test', CRAWL, nowMs);
        nowMs += 100;
        end(sinceMs, because);
      }
    },
    send() {
      paces.start('a.test', CRAWL, nowMs);
      nowMs += 1;
      return nowMs - 1;
    },
  };
}

describe('the pages of a lane', () => {
  /** A host whose lanes of so many pages took so long. */
  function paceAfter(lanes: readonly (readonly [pages: number, tookMs: number])[], hostDelayMs = 0) {
    const paces = new HostPaces({ ...RULES, hostDelayMs });
    const job = { id: 'job_1' };
    for (const [fetched, tookMs] of lanes) {
      paces.start('a.test', job, 0);
      paces.endLane({ jobId: 'job_1', host: 'a.test', sinceMs: 0, fetched }, tookMs);
    }
    return paces.laneLengthOf('a.test', job);
  }

  it('are one of an unknown host, and as many later as take eight tenths of a second', () => {
    expect(paceAfter([])).toBe(1);
    expect(paceAfter([[1, 200]])).toBe(4);
    expect(
      paceAfter([
        [1, 200],
        [4, 400],
      ]),
    ).toBe(5);
    expect(paceAfter([[1, 1]])).toBe(20);
    expect(paceAfter([[1, 5000]])).toBe(1);
  });

  it('are one where a delay is kept between pages', () => {
    expect(paceAfter([[1, 100]], 50)).toBe(1);
    const paces = new HostPaces(RULES);
    paces.start('a.test', CRAWL, 0);
    paces.endLane({ jobId: CRAWL.id, host: 'a.test', sinceMs: 0, fetched: 1 }, 100);
    expect(paces.laneLengthOf('a.test', CRAWL)).toBe(8);
    const slow = { ...CRAWL, politeness: { maxPagesPerHost: 6, delayMsOf: () => 1000 } };
    expect(paces.laneLengthOf('a.test', slow)).toBe(1);
  });
});

describe('the pages of a crawl that a host gets at once', () => {
  it('are two at first, and one more after every ten that ended well, up to those asked for', () => {
    const crawl = startCrawl();
    crawl.run('ended', 0);
    expect(crawl.roomOf()).toBe(2);
    crawl.run('ended', 9);
    expect(crawl.roomOf()).toBe(2);
    crawl.run('ended');
    expect(crawl.roomOf()).toBe(3);
    crawl.run('ended', 100);
    expect(crawl.roomOf()).toBe(6);
  });

  it('are halved when the host cannot bear them, once for all that were in flight', () => {
    const crawl = startCrawl();
    crawl.run('ended', 40);
    expect(crawl.roomOf()).toBe(6);
    const sent = [crawl.send(), crawl.send(), crawl.send()];
    for (const sinceMs of sent) crawl.end(sinceMs, 'strained');
    expect(crawl.roomOf()).toBe(3);
    crawl.run('strained', 5);
    expect(crawl.roomOf()).toBe(1);
    crawl.run('ended', 10);
    expect(crawl.roomOf()).toBe(2);
  });

  it('are not changed by pages that were not sent', () => {
    const crawl = startCrawl();
    crawl.run('unsent', 30);
    expect(crawl.roomOf()).toBe(2);
  });
});
