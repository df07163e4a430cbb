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

/** Metrics that Prometheus itself makes. */
const MADE_BY_PROMETHEUS = ['up'];
const OF_BROWSERS = /^gleaner_browsers?(?:_|$)/;

let test: TestStack;
let shown: Set<string>;

beforeAll(async () => {
  test = await joinStack();
  const text = await (await fetch(`${test.stack.metricsUrl}/metrics`)).text();
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
