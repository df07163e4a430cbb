import { eventually, type OriginRoute, startOrigin } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import type { TestStack } from '../../stack/test/test-stack.ts';
import { go, openPage, signIn } from './open-browser.ts';
import { onStrainedConsole } from './strain.ts';

onStrainedConsole({ records: 10_000, rows: 25_000, jobs: 110 }, (on) => {
  it('follows a job over a restart of the gateway, and stays signed in', async () => {
    /** Requests wait until the test lets them go; later ones are answered at once. */
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    let held = 0;
    const hold: OriginRoute['behavior'] = async ({ response }) => {
      held += 1;
      await letGo;
      response.end('<h1>Let go</h1>');
    };
    await using site = await startOrigin({ routes: [{ path: '/held', behavior: hold }] });
    const { json } = await on.bed.ask('/v1/jobs', {
      name: 'Held',
      urls: [`${site.url}/held`],
      selectors: { h: 'h1' },
      timeout: 120_000,
    });
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab } = opened;
    await signIn(tab, on.bed);
    await go(tab, on.bed, `/jobs/${json.job.id}`, 'Held');
    await tab.getByText('running', { exact: true }).waitFor();
    await eventually(() => expect(held).toBeGreaterThan(0));
    const former = pidOfGateway(on.bed);
    process.kill(former, 'SIGKILL');
    await eventually(() => expect(pidOfGateway(on.bed)).not.toBe(former));
    release();
    await tab.getByText('completed', { exact: true }).waitFor();
    await tab.getByRole('cell', { name: 'Let go' }).waitFor();
    await tab.getByRole('link', { name: 'Jobs' }).first().click();
    await tab.getByRole('region', { name: 'Jobs' }).getByRole('link', { name: 'Held' }).waitFor();
    expect(await tab.getByRole('alert').count()).toBe(0);
  });
});

function pidOfGateway({ stack }: TestStack): number {
  const pid = stack.processes().find(({ name }) => name === 'gateway')?.pid;
  if (pid === undefined) throw new Error('No gateway runs.');
  return pid;
}
