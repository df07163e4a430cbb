import { describeCondition, type Schedule } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CHANNELS } from '../api/channels.ts';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Time } from '../parts/marks/time.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { draftOf, type Rule } from './rule-draft.ts';

type Report = Awaited<ReturnType<typeof gleaner.schedules.rules>>['rules'][number];

const POLL_MS = 5_000;

/** The rules of a schedule as sentences, each with when it told last and what. */
export function ScheduleRules({ schedule }: { readonly schedule: Schedule }) {
  const { id, notify = [] } = schedule;
  const { data, error, refetch } = useQuery({
    queryKey: ['schedules', id, 'rules'],
    queryFn: ({ signal }) => gleaner.schedules.rules(id, { signal }),
    refetchInterval: POLL_MS,
    enabled: notify.length > 0,
  });
  const [edited, setEdited] = useState<Rule | 'new'>();
  const reports = new Map(data?.rules.map((report) => [report.name, report]));
  const rows = notify.map((rule) => ({ rule, report: reports.get(rule.name) }));
  return (
    <section className="card stack" aria-label="Rules">
      <div className="row" style={{ justifyContent: 'space-between' }}>
        <h2>Rules</h2>
        <Button size="xs" variant="default" onClick={() => setEdited('new')}>
          Add a rule
        </Button>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
      {notify.length === 0 ? (
        <p className="muted">
          A rule tells you by email or in a chat when a price falls, when something is back in stock, when a
          list gains a record.
        </p>
      ) : (
        <Table
          label="Rules"
          columns={[...COLUMNS, actionsOf(schedule, setEdited)]}
          rows={rows}
          keyOf={({ rule: { name } }) => name}
        />
      )}
      {data && data.omitted > 0 && (
        <p className="muted small">
          {data.records.toLocaleString()} records are watched; {data.omitted.toLocaleString()} further ones
          are not.
        </p>
      )}
      {edited && (
        <RuleDialog
          schedule={schedule}
          rule={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  );
}

/** Names of channels; deleted ones by their ids. */
function ChannelNames({ ids }: { readonly ids: readonly string[] }) {
  const { data = [] } = useQuery(CHANNELS);
  const names = new Map(data.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? id).join(', ');
}

interface Row {
  readonly rule: Rule;
  readonly report: Report | undefined;
}

/** Returns the column in which a rule is changed and removed. */
function actionsOf({ id, notify = [] }: Schedule, edit: (rule: Rule) => void): Column<Row> {
  return {
    head: 'Actions',
    cell: ({ rule }) => (
      <span className="row">
        {draftOf(rule) && (
          <Button size="xs" variant="default" onClick={() => edit(rule)}>
            Change
          </Button>
        )}
        <ConfirmButton
          label="Remove"
          question={`“${rule.name}” tells nothing any more.`}
          confirm="Remove the rule"
          changes="schedules"
          action={() =>
            gleaner.schedules.update(id, { notify: notify.filter(({ name }) => name !== rule.name) })
          }
        />
      </span>
    ),
  };
}

const COLUMNS: readonly Column<Row>[] = [
  {
    head: 'Rule',
    cell: ({ rule: { name, when } }) => (
      <>
        <strong>{name}</strong>
        <div className="small">Tell when {describeCondition(when)}.</div>
      </>
    ),
  },
  { head: 'By', cell: ({ rule: { to } }) => <ChannelNames ids={to} /> },
  {
    head: 'Told',
    isNumeric: true,
    cell: ({ report }) => (
      <>
        {report?.told.toLocaleString() ?? '–'}
        {report?.waiting !== undefined && (
          <div className="small">{report.waiting.toLocaleString()} waiting for the digest</div>
        )}
      </>
    ),
  },
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
