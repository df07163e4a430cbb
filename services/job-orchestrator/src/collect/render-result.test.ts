import { pageIdOf } from '@gleaner/storage';
import { expect, it } from '@jest/globals';
import { renderKept, renderResult, screenshotUrlOf } from './render-result.ts';

it('the path of a screenshot names the index of its page, however many digits that has', () => {
  expect([0, 42, 123_456].map((index) => screenshotUrlOf(pageIdOf('job_1', index)))).toEqual([
    '/v1/jobs/job_1/results/0/screenshot',
    '/v1/jobs/job_1/results/42/screenshot',
    '/v1/jobs/job_1/results/123456/screenshot',
  ]);
});

it('a result says what kind of page it comes from and what was dismissed, and warns if it was observed to be another', () => {
  const verdict = {
    page: 'notFound' as const,
    basis: 'observed' as const,
    signals: [{ code: 'NOT_FOUND_MARK' as const, evidence: 'body class error404' }],
  };
  const found = {
    kind: 'found' as const,
    url: 'https://shop.example/',
    finalUrl: 'https://shop.example/',
    dataJson: '{"a":1}',
    warnings: [],
    statusCode: 200,
    timestamp: '2026-01-31T12:00:00.000Z',
    engine: 'http' as const,
    attempts: [],
    price: { base: 1 },
    durationMs: 12,
  };
  const message = expect.stringContaining('(NOT_FOUND_MARK: body class error404)');
  const overlays = [{ cmp: 'Onetrust', action: 'reject' as const }];
  expect(JSON.parse(renderResult({ ...found, verdict, overlays }))).toMatchObject({
    metadata: { verdict, overlays },
    warnings: [{ code: 'PAGE_SUSPECT', message }],
  });
  for (const other of [{}, { verdict: { ...verdict, basis: 'inferred' as const } }]) {
    expect(JSON.parse(renderResult({ ...found, ...other }))).not.toHaveProperty('warnings');
  }
});

it('a result that is kept has the texts that were extracted before, and what is known of the page now', () => {
  const json = JSON.stringify({
    url: 'https://shop.example/before',
    canonicalUrl: 'https://shop.example/a',
    data: { 'a"]},': ['\\"', { metadata: { url: 1 } }, []] },
    formats: { markdown: '{"metadata":"' },
    metadata: { url: 'https://shop.example/before', title: 'Title', credits: 1 },
    warnings: [{ code: 'PDF_CUT', message: 'Cut.' }],
    snapshotId: 'snp_1',
  });
  const timestamp = '2026-01-31T12:00:00.000Z';
  const kept = renderKept(
    json,
    { kind: 'notModified', timestamp, attempts: [], durationMs: 3 },
    { url: 'https://shop.example/', depth: 1 },
  );
  const { data, formats, warnings, canonicalUrl } = JSON.parse(json);
  expect(JSON.parse(kept)).toEqual({
    url: 'https://shop.example/',
    depth: 1,
    canonicalUrl,
    data,
    formats,
    warnings,
    metadata: {
      title: 'Title',
      url: 'https://shop.example/',
      statusCode: 304,
      duration: 3,
      timestamp,
      credits: 0,
      creditsBreakdown: { base: 0 },
      attempts: [],
    },
  });
});
