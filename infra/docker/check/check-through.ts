import { Gleaner } from '@gleaner/client';

/** A gateway started from its image, and a site for it to scrape. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly demoUrl: string;
}

/** Works through the interface of a gateway, and prints the outcome. Returns the id of a job. Throws when something does not work. */
export async function checkThrough({ url, apiKey, demoUrl }: Target): Promise<string> {
  const gleaner = new Gleaner({ url, apiKey, timeoutMs: 120_000 });
  const selectors = { title: 'h1' };
  const plain = await gleaner.scrape({ url: demoUrl, selectors });
  report('scrape', `"${plain.data.title}" in ${plain.metadata.duration} ms`, plain.data.title !== null);
  const rendered = await gleaner.scrape({
    url: demoUrl,
    selectors,
    render: true,
    screenshot: true,
    timeout: 120_000,
  });
  const png = Buffer.from(rendered.screenshot ?? '', 'base64');
  const isRendered = rendered.metadata.engine === 'browser' && png.subarray(1, 4).toString() === 'PNG';
  report(
    'rendered scrape',
    `screenshot of ${png.length} bytes in ${rendered.metadata.duration} ms`,
    isRendered,
  );
  const urls = Array.from({ length: 20 }, (_, index) => `${demoUrl}?page=${index}`);
  const created = await gleaner.jobs.create({ urls, selectors });
  const job = await gleaner.jobs.wait(created.id);
  report(
    'job',
    `${job.completedUrls} of ${job.totalUrls} URLs, ${job.failedUrls} failed`,
    job.status === 'completed',
  );
  const console = await fetch(`${url}/console/`);
  report('console', `${console.status}`, console.ok && (await console.text()).includes('<div id="root">'));
  return job.id;
}

/** Prints the outcome of a check. Throws when it is not right. */
export function report(what: string, outcome: string, isRight: boolean): void {
  console.log(`${what.padEnd(18)} ${outcome}`);
  if (!isRight) throw new Error(`The ${what} did not bring what it should.`);
}
