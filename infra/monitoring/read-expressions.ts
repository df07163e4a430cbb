import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { ROWS } from './panels.ts';

/** An alert as alerts.yml declares it. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

/** An expression in PromQL, and the alert or panel that has it. */
export interface Expression {
  readonly where: string;
  readonly text: string;
}

/** Reads every alert. */
export async function readAlerts(): Promise<Alert[]> {
  const text = await readFile(join(import.meta.dirname, 'alerts.yml'), 'utf8');
  const { groups } = parse(text) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Returns the expressions of the alerts. */
export function expressionsOfAlerts(alerts: readonly Alert[]): Expression[] {
  return alerts.map(({ alert, expr }) => ({ where: alert, text: expr }));
}

/** Returns the expressions of the panels, with Grafana's variable replaced by a range. */
export function expressionsOfPanels(): Expression[] {
  return ROWS.flatMap(({ panels }) => panels).flatMap(({ title, queries }) =>
    queries.map(({ expr }) => ({ where: title, text: expr.replaceAll('$__rate_interval', '5m') })),
  );
}

/** Parses an expression and returns the names of its metrics. Throws at the place where it is not PromQL. */
export function metricsIn({ where, text }: Expression): string[] {
  const names: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError)
        throw new Error(`${where}: not PromQL at "${text.slice(node.from, node.from + 30)}"`);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') {
        names.push(text.slice(node.from, node.to));
      }
    },
  });
  return names;
}

/** Returns the metric that a name of its samples belongs to: histograms have three names for theirs. */
export function familyOf(name: string, families: ReadonlySet<string>): string | undefined {
  if (families.has(name)) return name;
  const base = name.replace(/_(?:bucket|sum|count)$/, '');
  return families.has(base) ? base : undefined;
}
