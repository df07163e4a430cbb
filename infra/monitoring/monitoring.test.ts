import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { QUEUES, ROUTES } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import {
  expressionsOfAlerts,
  expressionsOfPanels,
  familyOf,
  metricsIn,
  readAlerts,
} from './read-expressions.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(ROOT, file), 'utf8');
const run = promisify(execFile);
const alerts = await readAlerts();
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

describe('the alerts', () => {
  it.each(expressionsOfAlerts(alerts))('$where is PromQL', (expression) => {
    expect(metricsIn(expression)).not.toEqual([]);
  });

  it('are refused where they are not PromQL', () => {
    expect(() => metricsIn({ where: 'An alert', text: 'sum(rate(x[5m]) > 1' })).toThrow(
      'An alert: not PromQL',
    );
  });

  it.each(alerts)(
    '$alert has a severity, a summary and a heading of the runbook',
    async ({ alert, ...rest }) => {
      expect(rest.labels.severity).toMatch(/^(?:page|ticket)$/);
      expect(rest.annotations.summary).toMatch(/\.$|%\.$/);
      expect(await read('docs/operations.md')).toContain(`\n### ${alert}\n`);
    },
  );

  it('have no heading of the runbook too many', async () => {
    const headings = [...(await read('docs/operations.md')).matchAll(/^### (Gleaner\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(headings.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  it.each(alerts)('$alert fires in alerts.test.yml, and stays quiet while all is well', async ({ alert }) => {
    const { tests } = parse(await read('infra/monitoring/alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const cases = tests
      .flatMap((test) => test.alert_rule_test)
      .filter(({ alertname }) => alertname === alert);
    expect(cases.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true);
    expect(cases.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true);
  });

  it('name only routes and queues that exist', () => {
    const text = alerts.map(({ expr }) => expr).join('\n');
    const routes = [...text.matchAll(/route!?=~?"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|'));
    const known = new Set(['none', ...Object.keys(ROUTES)]);
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
    expect(Object.keys(QUEUES)).toContain(/queue!="([^"]+)"/.exec(text)?.[1]);
  });

  if (hasPromtool) {
    it('pass promtool', async () => {
      const folder = 'infra/monitoring';
      await run('promtool', ['check', 'rules', `${folder}/alerts.yml`], { cwd: ROOT });
      await run('promtool', ['test', 'rules', `${folder}/alerts.test.yml`], { cwd: ROOT });
      await run('promtool', ['check', 'config', `${folder}/npm-start.yml`], { cwd: ROOT });
    });
  }
});

describe('the dashboard', () => {
  it.each(expressionsOfPanels())('$where: $text is PromQL', (expression) => {
    expect(metricsIn(expression)).not.toEqual([]);
  });
});

describe('familyOf', () => {
  it('finds the histogram that a sample belongs to', () => {
    const families = new Set(['a_seconds', 'b_count']);
    expect(
      ['a_seconds_bucket', 'a_seconds_sum', 'b_count', 'c_count'].map((name) => familyOf(name, families)),
    ).toEqual(['a_seconds', 'a_seconds', 'b_count', undefined]);
  });
});

describe('docker compose --profile monitoring', () => {
  it('scrapes every service, and reads the files of this folder', async () => {
    const compose = parse(await read('docker-compose.yml'), { merge: true });
    const config = parse(await read('infra/monitoring/prometheus.yml'));
    const [{ names, port }] = config.scrape_configs[0].dns_sd_configs;
    const ours = Object.keys(compose.services).filter((name) => compose.services[name].build);
    expect([...names].sort()).toEqual(ours.sort());
    expect(await read('infra/docker/Dockerfile')).toContain(`METRICS_PORT=${port}`);
    expect(compose.services.prometheus).toMatchObject({ profiles: ['monitoring'] });
    expect(compose.services.grafana).toMatchObject({ profiles: ['monitoring'] });
    const mounted = [...compose.services.prometheus.volumes, ...compose.services.grafana.volumes]
      .filter((volume: string) => volume.startsWith('./'))
      .map((volume: string) => volume.split(':')[0]?.replace('./', '') ?? '');
    for (const file of mounted) expect(await read(file)).not.toBe('');
    expect(mounted).toEqual(
      expect.arrayContaining(['infra/monitoring/prometheus.yml', 'infra/monitoring/alerts.yml']),
    );
  });
});
