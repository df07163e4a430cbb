import { expect, it } from '@jest/globals';
import { mergeMetrics } from './merge-metrics.ts';

const text = (service: string, own: string) =>
  [
    '# HELP gleaner_up Shared.',
    '# TYPE gleaner_up gauge',
    `gleaner_up{service="${service}"} 1`,
    '',
    `# HELP gleaner_${own}_total Own.`,
    `# TYPE gleaner_${own}_total counter`,
    `gleaner_${own}_total{service="${service}"} 2`,
    '',
  ].join('\n');

it('puts the samples of all processes under one HELP and TYPE line for each metric', () => {
  expect(mergeMetrics([text('gateway', 'calls'), text('scraper', 'scrapes')]).split('\n')).toEqual([
    '# HELP gleaner_up Shared.',
    '# TYPE gleaner_up gauge',
    'gleaner_up{service="gateway"} 1',
    'gleaner_up{service="scraper"} 1',
    '# HELP gleaner_calls_total Own.',
    '# TYPE gleaner_calls_total counter',
    'gleaner_calls_total{service="gateway"} 2',
    '# HELP gleaner_scrapes_total Own.',
    '# TYPE gleaner_scrapes_total counter',
    'gleaner_scrapes_total{service="scraper"} 2',
    '',
  ]);
});

it('returns nothing for no process', () => {
  expect(mergeMetrics([])).toBe('');
});
