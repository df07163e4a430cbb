import type { ResultOf } from '@gleaner/client';
import { Tabs } from '@mantine/core';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { Facts } from '../parts/data/facts.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { tablesIn } from '../tables/tables-in.ts';
import { VirtualTable } from '../tables/virtual-table.tsx';
import styles from './playground.module.css';

type ScrapeAnswer = ResultOf<'scrape'>;
type Attempt = ScrapeAnswer['metadata']['attempts'][number];

const ATTEMPT_COLUMNS: readonly Column<Attempt>[] = [
  { head: 'Engine', cell: ({ engine }) => engine },
  { head: 'Outcome', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  { head: 'Status', isNumeric: true, cell: ({ statusCode }) => statusCode ?? '–' },
  { head: 'Proxy', cell: ({ proxy }) => proxy ?? '–' },
  { head: 'Time', isNumeric: true, cell: ({ durationMs }) => describeDuration(durationMs) },
];

/** The answer of a scrape in the forms in which people read it. */
export function Answer({ answer }: { readonly answer: ScrapeAnswer }) {
  const { data, formats, metadata, warnings, screenshot } = answer;
  const tables = data ? tablesIn(data).filter(({ rows }) => rows.length > 0) : [];
  const { screenshot: _png, ...raw } = answer;
  return (
    <div className="stack">
      <Summary metadata={metadata} />
      {warnings && warnings.length > 0 && (
        <ul className="stack-tight" aria-label="Warnings">
          {warnings.map(({ code, field, message }) => (
            <li key={`${code} ${field}`} className="small">
              <StatusBadge status={code} /> {message}
            </li>
          ))}
        </ul>
      )}
      <Tabs defaultValue="data" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="data">Data</Tabs.Tab>
          {tables.length > 0 && <Tabs.Tab value="table">Table</Tabs.Tab>}
          <Tabs.Tab value="attempts">Attempts</Tabs.Tab>
          {screenshot && <Tabs.Tab value="screenshot">Screenshot</Tabs.Tab>}
          <Tabs.Tab value="raw">Raw</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="data" className={styles.panel}>
          <CodeBlock label="Data" text={JSON.stringify(data ?? formats ?? {}, null, 2)} isWrapped />
        </Tabs.Panel>
        <Tabs.Panel value="table" className={`stack ${styles.panel}`}>
          {tables.map(({ field, columns, rows }) => (
            <VirtualTable key={field ?? ''} label={field ?? 'Single values'} columns={columns} rows={rows} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="attempts" className={styles.panel}>
          <Table
            label="Attempts"
            columns={ATTEMPT_COLUMNS}
            rows={metadata.attempts}
            keyOf={(attempt) => String(metadata.attempts.indexOf(attempt))}
          />
        </Tabs.Panel>
        {screenshot && (
          <Tabs.Panel value="screenshot" className={styles.panel}>
            <img
              className={styles.screenshot}
              src={`data:image/png;base64,${screenshot}`}
              alt={`Screenshot of ${metadata.finalUrl}`}
            />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="raw" className={styles.panel}>
          <CodeBlock label="Raw answer" text={JSON.stringify(raw, null, 2)} isWrapped />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

function Summary({ metadata }: { readonly metadata: ScrapeAnswer['metadata'] }) {
  const { statusCode, duration, credits, creditsBreakdown, engine, finalUrl } = metadata;
  const parts = Object.entries(creditsBreakdown).map(([name, price]) => `${name} ${price}`);
  return (
    <div className="card">
      <Facts
        facts={{
          Status: statusCode,
          Time: describeDuration(duration),
          Engine: engine,
          Charged: (
            <span className={styles.charge} title={parts.join(', ')}>
              {credits} {credits === 1 ? 'credit' : 'credits'}
            </span>
          ),
          'Final URL': finalUrl,
        }}
      />
    </div>
  );
}
