import { eventually, startBucket } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { startTestStack } from '../../stack/test/test-stack.ts';
import { findFlaws, go, onBrowser, openBrowser, openPage, signIn } from './open-browser.ts';

onBrowser('sinks in the console', () => {
  it('are chosen in the form of a job with their format and folder, and get its results', async () => {
    await using bucket = await startBucket();
    await using bed = await startTestStack({
      SINKS: `lake=s3://shop-data?endpoint=${bucket.url}`,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    const browser = await openBrowser(bed);
    try {
      await using opened = await openPage(browser, bed.stack.url);
      const { page, problems } = opened;
      await signIn(page, bed);
      await go(page, bed, '/jobs/new', 'New job');
      await page.getByLabel('URLs').fill(`${bed.stack.demoUrl}books/emma`);
      await page.getByLabel('Sink', { exact: true }).selectOption('lake');
      await page.getByLabel('Format', { exact: true }).selectOption('csv');
      await page.getByLabel('Key', { exact: true }).fill('console/{date}');
      expect(await findFlaws(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create the job' }).click();
      await page.getByText('needs {job}').first().waitFor();
      await page.getByLabel('Key', { exact: true }).fill('console/{job}');
      await page.getByRole('button', { name: 'Create the job' }).click();
      await page.getByText('completed', { exact: true }).waitFor();
      const written = () =>
        [...bucket.objects.keys()].filter((key) => key.startsWith('shop-data/console/job_'));
      await eventually(() =>
        expect(written().map((key) => key.split('/').at(-1))).toEqual(['part-00000.csv', '_manifest.json']),
      );
      await page.getByText('lake', { exact: true }).waitFor();
      expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);

      await go(page, bed, '/schedules/new', 'New schedule');
      await page.getByLabel('Sink', { exact: true }).selectOption('lake');
      await page.getByLabel('Rows', { exact: true }).waitFor();
    } finally {
      await browser.close();
    }
  });
});
