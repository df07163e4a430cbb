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
  watch = new PageWatch({ session, targetId: FRAME } as unknown as Tab);
});

function showNext(): void {
  session.emit('Page.frameNavigated', { frame: { id: FRAME, loaderId: '2', url: 'http://a.test/next' } });
}

function refuse(message: string): Promise<never> {
  return Promise.reject(new ProtocolError(message));
}

describe('work on a document', () => {
  it('has its outcome while the document stays', async () => {
    expect(await watch.whileItStays(async () => 'read')).toBe('read');
  });

  it('has none when another document takes its place, answered or not', async () => {
    const unanswered = watch.whileItStays(() => new Promise(() => {}));
    showNext();
    expect(await unanswered).toBeUndefined();
    expect(await watch.whileItStays(() => Promise.reject(new DocumentReplaced()))).toBeUndefined();
  });

  it('has none when Chromium refuses it just before it shows the next document', async () => {
    const refused = watch.whileItStays(() => refuse('Not attached to an active page'));
    setTimeout(showNext, 20);
    expect(await refused).toBeUndefined();
  });

  it('fails with what ended the tab when that shows after the refusal', async () => {
    const refused = watch.whileItStays(() => refuse('Target crashed'));
    setTimeout(() => session.emit('Inspector.targetCrashed'), 20);
    await expect(refused).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  });

  it('fails as Chromium says when the document stays, and at once when the fault is not of the document', async () => {
    const refused = watch.whileItStays(() => refuse('Unable to capture screenshot'));
    await expect(refused).rejects.toThrow('Unable to capture screenshot');
    const fault = new AppError('UNSUPPORTED_CONTENT');
    await expect(watch.whileItStays(() => Promise.reject(fault))).rejects.toBe(fault);
  });
});
