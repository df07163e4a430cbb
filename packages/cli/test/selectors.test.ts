import { describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const SCHEMA = { type: 'object', properties: { title: { type: 'string' }, rating: { type: 'number' } } };
const PROPOSAL = {
  selectors: { title: 'h1' },
  data: { title: 'Emma' },
  unsolved: [{ field: 'rating', message: 'The model found no value of it on the page.' }],
  llm: {},
  credits: 3,
};

/** A service that keeps each page, unless it is too large, and answers with a proposal. */
const startProposals = (proposal: object = PROPOSAL) => {
  let pages = 0;
  return startService((response, { path, body }) => {
    if (path === '/v1/estimate') return sendJson(response, 200, { estimate: {} });
    if (path.endsWith('/suggest')) return sendJson(response, 200, { candidates: [], proposal });
    pages += 1;
    const warnings = [{ code: 'SNAPSHOT_NOT_KEPT', message: 'It is too large.' }];
    const kept = JSON.parse(body).url.endsWith('large') ? { warnings } : { snapshotId: `snap_${pages}` };
    sendJson(response, 200, { url: 'https://a.test/', metadata: {}, ...kept });
  });
};

async function run(flags: readonly string[], proposal?: object) {
  await using service = await startProposals(proposal);
  const args = ['selectors', 'a.test', '--schema', '-', ...flags];
  const ended = await runGleaner(args, { env: service.env, input: JSON.stringify(SCHEMA) });
  const sent = service.received.map(({ path, body }) => ({ path, body: body && JSON.parse(body) }));
  return { ...ended, sent };
}

describe('gleaner selectors', () => {
  it('keeps the page, and prints the selectors alone', async () => {
    const { code, stdout, stderr, sent } = await run(['--extract-prompt', 'the book', '--max-credits', '9']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { title: 'h1' }]);
    expect(stderr).toBe(
      'warning: rating: The model found no value of it on the page.\ntitle; the model cost 3 credits.\n',
    );
    const extract = { schema: SCHEMA, prompt: 'the book' };
    expect(sent).toEqual([
      { path: '/v1/estimate', body: { url: 'https://a.test', extract } },
      { path: '/v1/scrape', body: { url: 'https://a.test', snapshot: true } },
      {
        path: '/v1/snapshots/snap_1/suggest',
        body: { schema: SCHEMA, prompt: 'the book', maxCredits: 9 },
      },
    ]);
  });

  it('tests them on other pages, fetched the same way', async () => {
    const proposal = { ...PROPOSAL, unsolved: [], stableOn: { title: '1 of 1' } };
    const { stderr, sent } = await run(['--also-on', 'a.test/2', '--render', '--locale', 'de'], proposal);
    expect(stderr).toContain('title has a value on 1 of 1 of the other pages.');
    const options = { render: true, locale: 'de', snapshot: true };
    expect(sent.slice(1).map(({ body }) => body)).toEqual([
      { url: 'https://a.test', ...options },
      { url: 'https://a.test/2', ...options },
      { schema: SCHEMA, locale: 'de', alsoOn: ['snap_2'] },
    ]);
  });

  it('fails without any, and prints nothing for a program', async () => {
    const { code, stdout, stderr } = await run([], { ...PROPOSAL, selectors: {} });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('No selectors; the model cost 3 credits.');
  });

  it('says why a page was not kept', async () => {
    const { code, stderr, sent } = await run(['--also-on', 'a.test/large']);
    expect([code, stderr]).toEqual([1, 'gleaner: a.test/large was not kept. It is too large.\n']);
    expect(sent).toHaveLength(3);
  });

  it('scrapes nothing where the installation has no model', async () => {
    await using service = await startService((response) =>
      sendJson(response, 503, { success: false, error: { code: 'NOT_CONFIGURED', message: 'No model.' } }),
    );
    const { code, stderr } = await runGleaner(['selectors', 'a.test', '--schema', '-'], {
      env: service.env,
      input: JSON.stringify(SCHEMA),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('No model.')]);
    expect(service.received.map(({ path }) => path)).toEqual(['/v1/estimate']);
  });

  it('needs a schema', async () => {
    const { code, stderr } = await runGleaner(['selectors', 'a.test']);
    expect(code).toBe(2);
    expect(stderr).toContain('--schema is missing.');
  });
});
