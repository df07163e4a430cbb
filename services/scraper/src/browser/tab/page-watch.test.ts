import { EventEmitter } from 'node:events';
import { AppError } from '@gleaner/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ProtocolError } from 'puppeteer-core';
import { DocumentReplaced } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';
import { PageWatch } from './page-watch.ts';

const FRAME = 'the outermost frame';

let session: EventEmitter;
let watch: PageWatch;

beforeEach(() => {
  session = new EventEmitter();
  watch = new PageWatch({ session, targetId: FRAME } as unknown as Tab, () => undefined);
});

function showNext(): void {
  session.emit('Page.frameNavigated', { frame: { id: FRAME, loaderId: '2', url: 'http://a.test/next' } });
}

function reject(message: string): Promise<never> {
  return Promise.reject(new ProtocolError(message));
}

describe('work on a document', () => {
  it('returns its result while the document stays', async () => {
    expect(await watch.whileItStays(async () => 'read')).toBe('read');
  });

  it('returns undefined when another document replaces it, answered or not', async () => {
    const unanswered = watch.whileItStays(() => new Promise(() => {}));
    showNext();
    expect(await unanswered).toBeUndefined();
    expect(await watch.whileItStays(() => Promise.reject(new DocumentReplaced()))).toBeUndefined();
  });

  it('returns undefined when Chromium rejects a command just before it shows the next document', async () => {
    const rejected = watch.whileItStays(() => reject('Not attached to an active page'));
    setTimeout(showNext, 20);
    expect(await rejected).toBeUndefined();
  });

  it('fails with the reason why the tab ended when that follows the rejection', async () => {
    const rejected = watch.whileItStays(() => reject('Target crashed'));
    setTimeout(() => session.emit('Inspector.targetCrashed'), 20);
    await expect(rejected).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  });

  it("fails with Chromium's error when the document stays, and at once with any other error", async () => {
    const rejected = watch.whileItStays(() => reject('Unable to capture screenshot'));
    await expect(rejected).rejects.toThrow('Unable to capture screenshot');
    const error = new AppError('UNSUPPORTED_CONTENT');
    await expect(watch.whileItStays(() => Promise.reject(error))).rejects.toBe(error);
  });
});
