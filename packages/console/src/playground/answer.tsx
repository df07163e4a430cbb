import type { ResultOf, ScrapeRequest } from '@gleaner/client';
import { gleaner } from '../api/gleaner.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { Facts } from '../parts/data/facts.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { PageNotes } from '../results/page-notes.tsx';
import { ResultTabs } from '../results/result-tabs.tsx';
import { ToWorkbench } from '../reuse/to-workbench.tsx';
import { tablesIn } from '../tables/tables-in.ts';
import { VirtualTable } from '../tables/virtual-table.tsx';
import { TracePanel } from '../traces/trace-panel.tsx';
import styles from './playground.module.css';

type ScrapeAnswer = ResultOf<'scrape'>;

/** The answer of a scrape in the forms in which people read it. */
export function Answer(props: {
  readonly request: ScrapeRequest;
  readonly answer: ScrapeAnswer;
  readonly requestId: string;
}) {
  const { request, answer, requestId } = props;
  const { data, formats, metadata, warnings, screenshot } = answer;
  const tables = data ? tablesIn(data).filter(({ rows }) => rows.length > 0) : [];
  const { screenshot: _image, stepScreenshots: _images, ...raw } = answer;
  return (
    <div className="stack">
      <Summary metadata={metadata} />
      <div>
        <ToWorkbench request={request} page={answer} />
      </div>
      <PageNotes metadata={metadata} />
      {warnings && warnings.length > 0 && (
        <ul className="stack-tight" aria-label="Warnings">
          {warnings.map(({ code, field, message }) => (
            <li key={`${code} ${field}`} className="small">
              <StatusBadge status={code} /> {message}
            </li>
          ))}
        </ul>
      )}
      <ResultTabs
        {...{ data, formats, selectors: request.selectors }}
        before={tables.length > 0 ? [{ name: 'Table', content: <Tables tables={tables} /> }] : []}
        after={[
          {
            name: 'Attempts',
            content: (
              <TracePanel traceKey={[requestId]} read={(signal) => gleaner.trace(requestId, { signal })} />
            ),
          },
          ...(screenshot
            ? [
                {
                  name: 'Screenshot',
                  content: (
                    <img
                      className={styles.screenshot}
                      src={`data:image/${formatOf(request)};base64,${screenshot}`}
                      alt={`Screenshot of ${metadata.finalUrl}`}
                    />
                  ),
                },
              ]
            : []),
          {
            name: 'Raw',
            content: <CodeBlock label="Raw answer" text={JSON.stringify(raw, null, 2)} />,
          },
        ]}
      />
    </div>
  );
}

function Tables({ tables }: { readonly tables: ReturnType<typeof tablesIn> }) {
  return (
    <div className="stack">
      {tables.map(({ field, columns, rows }) => (
        <VirtualTable key={field ?? ''} label={field ?? 'Single values'} columns={columns} rows={rows} />
      ))}
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

function formatOf({ screenshot }: ScrapeRequest): string {
  return (typeof screenshot === 'object' && screenshot.format) || 'png';
}
