import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  expressionsOfAlerts,
  expressionsOfPanels,
  familyOf,
  metricsIn,
  readAlerts,
} from '../monitoring/read-expressions.ts';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const SERVICES = ['gateway', 'scraper', 'job-orchestrator', 'scheduler', 'webhook-notifier'];
/** Metrics that Prometheus itself makes. */
const MADE_BY_PROMETHEUS = ['up'];
const OF_BROWSERS = /^gleaner_browsers?(?:_|$)/;

let test: TestStack;
let shown: Set<string>;

beforeAll(async () => {
  test = await joinStack();
  // On a slow machine, a process may be late with its answer, and is left out.
  const text = await eventually(async () => {
    const answer = await (await fetch(`${test.stack.metricsUrl}/metrics`)).text();
    for (const name of SERVICES)
      expect(answer).toMatch(new RegExp(`^gleaner_build_info\\{.*service="${name}"`, 'm'));
    return answer;
  });
  shown = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
});
afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
});

it('has every metric that alerts and panels read', async () => {
  const names = [...expressionsOfAlerts(await readAlerts()), ...expressionsOfPanels()].flatMap(metricsIn);
  const missing = names.filter(
    (name) =>
      !MADE_BY_PROMETHEUS.includes(name) &&
      !familyOf(name, shown) &&
      (HAS_BROWSER || !OF_BROWSERS.test(name)),
  );
  expect([...new Set(missing)]).toEqual([]);
});

it('has no metric of its own that is on no panel', () => {
  const onPanels = new Set(
    expressionsOfPanels()
      .flatMap(metricsIn)
      .map((name) => familyOf(name, shown)),
  );
  expect([...shown].filter((name) => name.startsWith('gleaner_') && !onPanels.has(name))).toEqual([]);
});
