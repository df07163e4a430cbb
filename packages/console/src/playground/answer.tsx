import type { ResultOf, ScrapeRequest } from '@gleaner/client';
import { gleaner } from '../api/gleaner.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { Facts } from '../parts/data/facts.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { FileLink } from '../results/file-link.tsx';
import { PageNotes } from '../results/page-notes.tsx';
import { ResultTabs } from '../results/result-tabs.tsx';
import { tableTabs } from '../results/table-tabs.tsx';
import { WarningList } from '../results/warning-list.tsx';
import { ToWorkbench } from '../reuse/to-workbench.tsx';
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
  const { data, formats, metadata, warnings, screenshot, file } = answer;
  const { screenshot: _image, stepScreenshots: _images, ...raw } = answer;
  return (
    <div className="stack">
      <Summary metadata={metadata} />
      {file ? (
        <FileLink file={file} />
      ) : (
        <div>
          <ToWorkbench request={request} page={answer} />
        </div>
      )}
      <PageNotes metadata={metadata} />
      <WarningList warnings={warnings} />
      <ResultTabs
        data={data}
        formats={formats}
        selectors={request.selectors}
        before={tableTabs(data)}
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
