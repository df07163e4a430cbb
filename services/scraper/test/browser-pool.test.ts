import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';
import type { ProxyServer } from '@gleaner/egress';
import { eventually } from '@gleaner/test-kit';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Browser } from '../src/browser/process/start-browser.ts';
import { onlyTabIn } from './browser-processes.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { openTestPool } from './open-test-pool.ts';

/** Never aborted: a test that hangs ends at its own limit. */
const SIGNAL = new AbortController().signal;

await describeWithBrowser('a browser pool', ({ CHROMIUM_PATH }) => {
  it('keeps running when a browser fails to start while another one retires', async () => {
    await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH, maxUses: 1 });
    const { pool, starts } = opened;
    const failing = Promise.withResolvers<Browser>();
    starts.visual = () => failing.promise;
    const visual = pool.withTab({ kind: 'visual' }, SIGNAL, async () => 'visual');
    const expectation = expect(visual).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await pool.withTab({ kind: 'plain' }, SIGNAL, async () => 'plain')).toBe('plain');
    failing.reject(new AppError('SERVICE_UNAVAILABLE'));
    await expectation;
    // An unhandled rejection is reported in a later turn, and would fail this test.
    await sleep(10);
    delete starts.visual;
    expect(await pool.withTab({ kind: 'visual' }, SIGNAL, async () => 'visual')).toBe('visual');
  });

  it('keeps running, and logs a warning, when a profile folder cannot be removed', async () => {
    await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH, maxUses: 1 });
    const { pool, folder, logLines } = opened;
    const moved = pool.withTab({ kind: 'plain' }, SIGNAL, async () => {
      await rename(join(folder, 'running'), join(folder, 'moved'));
      await writeFile(join(folder, 'running'), 'a file, so that no path below it can be removed');
    });
    // Chromium may exit by itself when its folder is gone.
    await moved.catch(() => {});
    await eventually(() => {
      expect(logLines.join()).toContain('could not be removed');
    });
    await rm(join(folder, 'running'));
    await mkdir(join(folder, 'running'));
    expect(await pool.withTab({ kind: 'plain' }, SIGNAL, async () => 'again')).toBe('again');
  });

  it.each([
    ['before', 0],
    ['before', 50],
    ['once', 0],
    ['once', 50],
  ])(
    'opens another tab when the spare one crashes %s it is attached, and %d ms pass',
    async (moment, knownMs) => {
      await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH });
      const { pool, started, ends, folder } = opened;
      const pidOfPage = () => pool.withTab({ kind: 'plain' }, SIGNAL, async ({ browser }) => browser.pid);
      const pid = await pidOfPage();
      const { connection } = started[0] as Browser;
      const createSession = connection.createSession.bind(connection);
      const crash = async () => {
        process.kill((await onlyTabIn(folder)).pid, 'SIGKILL');
        await sleep(knownMs);
      };
      // That of the spare tab: the page before has closed its own.
      connection.createSession = async (target) => {
        connection.createSession = createSession;
        if (moment === 'before') await crash();
        const session = await createSession(target);
        if (moment === 'once') await crash();
        return session;
      };
      expect([await pidOfPage(), ends]).toEqual([pid, []]);
    },
  );

  describe('when a tab is stuck', () => {
    const closings: (() => Promise<void>)[] = [];
    /** Makes the tab of a proxy one that cannot be closed. */
    const neverClose = (proxy: ProxyServer) => {
      closings.push(proxy.close);
      proxy.close = () => new Promise(() => {});
    };
    afterEach(async () => {
      await Promise.all(closings.splice(0).map((close) => close()));
    });

    it.each<[string, { readonly accountId?: string }]>([
      ['a context of its own', {}],
      ['a shared context', { accountId: 'acc_1' }],
    ])(
      'in %s, lets the page in another tab finish, and ends the browser after it',
      async (_where, account) => {
        await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH });
        const { pool, ends, logLines, started } = opened;
        let runs = 0;
        const neighbor = pool.withTab({ kind: 'plain' }, SIGNAL, async (tab, signal) => {
          runs += 1;
          const gone = new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
          await Promise.race([gone, eventually(() => expect(logLines.join()).toContain('is stuck'))]);
          // New pages do not wait for this one.
          await pool.withTab({ kind: 'plain' }, SIGNAL, async ({ browser }) =>
            expect(browser.pid).not.toBe(tab.browser.pid),
          );
          expect(ends).toEqual([]);
          const { result } = await tab.session.send('Runtime.evaluate', { expression: '1 + 1' });
          return result.value;
        });
        await eventually(() => expect(runs).toBe(1));
        await pool.withTab({ kind: 'plain', ...account }, SIGNAL, async ({ browser, proxy }) => {
          expect(browser).toBe(started[0]);
          proxy.pause = () => {
            throw new Error('The context cannot be cleaned.');
          };
          // The tab cannot be closed.
          neverClose(proxy);
        });
        expect(await neighbor).toBe(2);
        expect(runs).toBe(1);
        await eventually(() => expect(ends).toEqual(['stuck']));
      },
    );

    it('ends the browser at once if no other page is in it', async () => {
      await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH });
      const { pool, ends } = opened;
      await pool.withTab({ kind: 'plain' }, SIGNAL, async ({ proxy }) => {
        neverClose(proxy);
      });
      await eventually(() => expect(ends).toEqual(['stuck']));
    });

    it('repeats the page in another tab if the browser does not answer', async () => {
      await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH });
      const { pool, ends, started } = opened;
      const seen: number[] = [];
      const neighbor = pool.withTab({ kind: 'plain' }, SIGNAL, async ({ browser, session }) => {
        seen.push(browser.pid);
        if (seen.length === 1) await sleep(60_000, undefined, { signal: browser.gone }).catch(() => {});
        const { result } = await session.send('Runtime.evaluate', { expression: '1 + 1' });
        return result.value;
      });
      await eventually(() => expect(seen).toHaveLength(1));
      await pool.withTab({ kind: 'plain' }, SIGNAL, async ({ browser }) => {
        expect(browser).toBe(started[0]);
        process.kill(-browser.pid, 'SIGSTOP');
      });
      expect(await neighbor).toBe(2);
      expect(seen).toEqual([started[0]?.pid, started[1]?.pid]);
      expect(ends).toEqual(['stuck']);
    });
  });

  it('tells why each browser has ended, and shows those that run', async () => {
    await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH, maxUses: 2 });
    const { pool, ends, started } = opened;
    await pool.withTab({ kind: 'plain' }, SIGNAL, async () => {
      expect(pool.states()).toMatchObject([{ kind: 'plain', activeTabs: 1 }]);
    });
    await pool.withTab({ kind: 'plain' }, SIGNAL, async () => 'the last use');
    await eventually(() => expect(ends).toEqual(['uses']));
    expect(pool.states()).toEqual([]);
    await pool.withTab({ kind: 'plain' }, SIGNAL, async () => 'another browser');
    await eventually(() => expect(pool.states()).toMatchObject([{ activeTabs: 0 }]));
    process.kill(-(started[1]?.pid ?? 0), 'SIGKILL');
    await eventually(() => expect(ends).toEqual(['uses', 'crashed']));
  });

  it('never signals the process id of a browser that has crashed', async () => {
    await using opened = await openTestPool({ chromiumPath: CHROMIUM_PATH, idleMs: 50 });
    const { pool, started } = opened;
    const signalled = mock.method(process, 'kill');
    try {
      await pool.withTab({ kind: 'plain' }, SIGNAL, async () => 'started');
      const [browser] = started;
      const crashed = pool.withTab({ kind: 'plain' }, SIGNAL, async ({ browser: { pid } }, signal) => {
        if (pid !== browser?.pid) return 'repeated';
        process.kill(-pid, 'SIGKILL');
        await sleep(60_000, undefined, { signal }).catch(() => {});
        throw signal.reason;
      });
      expect(await crashed).toBe('repeated');
      await sleep(20);
      signalled.mock.resetCalls();
      await sleep(300);
      await browser?.close();
      await browser?.kill();
      const groups = signalled.mock.calls.map(({ arguments: [pid] }) => -pid);
      expect(groups).not.toContain(browser?.pid);
    } finally {
      signalled.mock.restore();
    }
  });
});
