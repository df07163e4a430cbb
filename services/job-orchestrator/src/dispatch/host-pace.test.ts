import { describe, expect, it } from '@jest/globals';
import { HostPaces } from './host-pace.ts';

const RULES = { maxPagesPerHost: 50, hostDelayMs: 0, maxPauseMs: 60_000 };
const CRAWL = { id: 'job_1', politeness: { maxPagesPerHost: 6, delayMsOf: () => 0 } };

/** A crawl of one host, at a time that the test sets. */
function startCrawl() {
  const paces = new HostPaces(RULES);
  let nowMs = 1_000_000;
  const roomOf = () => paces.roomOf('a.test', CRAWL, nowMs);
  const end = (sinceMs: number, because: 'ended' | 'strained' | 'unsent') =>
    paces.end({ jobId: CRAWL.id, host: 'a.test', sinceMs, because }, nowMs);
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
