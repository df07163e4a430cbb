import type { Schedule } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Time } from '../parts/marks/time.tsx';

type Rule = NonNullable<Schedule['notify']>[number];
type Report = Awaited<ReturnType<typeof gleaner.schedules.rules>>['rules'][number];

const POLL_MS = 5_000;

/** The rules of a schedule as sentences, each with when it told last and what. */
export function ScheduleRules({ schedule: { id, notify = [] } }: { readonly schedule: Schedule }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['schedules', id, 'rules'],
    queryFn: ({ signal }) => gleaner.schedules.rules(id, { signal }),
    refetchInterval: POLL_MS,
    enabled: notify.length > 0,
  });
  if (notify.length === 0) return null;
  const reports = new Map(data?.rules.map((report) => [report.name, report]));
  const rows = notify.map((rule) => ({ rule, report: reports.get(rule.name) }));
  return (
    <section className="card stack" aria-label="Rules">
      <h2>Rules</h2>
      {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
      <Table label="Rules" columns={COLUMNS} rows={rows} keyOf={({ rule: { name } }) => name} />
      {data && data.omitted > 0 && (
        <p className="muted small">
          {data.records.toLocaleString()} records are watched; {data.omitted.toLocaleString()} further ones
          are not.
        </p>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<{ readonly rule: Rule; readonly report: Report | undefined }>[] = [
  {
    head: 'Rule',
    cell: ({ rule: { name, when } }) => (
      <>
        <strong>{name}</strong>
        <div className="small">Tell when {describeCondition(when)}.</div>
      </>
    ),
  },
  { head: 'By', cell: ({ rule: { to } }) => <span className="mono">{to.join(', ')}</span> },
  { head: 'Told', isNumeric: true, cell: ({ report }) => report?.told.toLocaleString() ?? '–' },
  {
    head: 'Last',
    cell: ({ report }) =>
      report?.lastToldAt ? (
        <>
          {report.lastJobId ? (
            <Link to="/jobs/$id" params={{ id: report.lastJobId }}>
              <Time at={report.lastToldAt} />
            </Link>
          ) : (
            <Time at={report.lastToldAt} />
          )}
          <div className="small">{report.lastTitle}</div>
        </>
      ) : (
        <span className="muted">nothing yet</span>
      ),
  },
];

/** Says in words when a rule tells. */
function describeCondition(condition: Rule['when']): string {
  if ('all' in condition)
    return condition.all.map((each) => describeCondition(each as Rule['when'])).join(' and ');
  if ('any' in condition)
    return condition.any.map((each) => describeCondition(each as Rule['when'])).join(' or ');
  if ('changed' in condition) return `${condition.changed.join(' or ')} changes`;
  if ('added' in condition) return `something is added to ${condition.added}`;
  if ('removed' in condition) return `something is removed from ${condition.removed}`;
  const { field } = condition;
  if ('below' in condition) return `${field} falls below ${condition.below}`;
  if ('above' in condition) return `${field} rises above ${condition.above}`;
  if ('becomes' in condition) return `${field} becomes ${condition.becomes ?? 'nothing'}`;
  return `${field} moves by ${condition.by}`;
}
