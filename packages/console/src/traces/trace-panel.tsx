import type { Trace } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { stagesOf } from './stages-of.ts';
import styles from './traces.module.css';

type Attempt = Trace['attempts'][number];

/** Shows where the time of a page went: its attempts with their stages, and a command that repeats the request. */
export function TracePanel(props: {
  /** Identifies the trace. */
  readonly traceKey: readonly (string | number)[];
  read(signal: AbortSignal): Promise<Trace>;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['trace', ...props.traceKey],
    queryFn: ({ signal }) => props.read(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorPanel error={error} onRetry={() => refetch()} />;
  if (!data) return <WaitingRows label="Loading the trace" />;
  return (
    <div className="stack">
      <ol className="stack-tight" aria-label="Attempts">
        {data.attempts.map((attempt) => (
          <AttemptItem key={data.attempts.indexOf(attempt)} attempt={attempt} />
        ))}
      </ol>
      <CodeBlock label="The same request with curl" text={data.curl} />
    </div>
  );
}

function AttemptItem({ attempt }: { readonly attempt: Attempt }) {
  const { engine, rung, proxy, outcome, statusCode, durationMs, stages = {}, actions = [] } = attempt;
  return (
    <li className="card stack-tight">
      <div className="spread">
        <span className="row">
          <strong>{rung === undefined ? engine : `${engine} (${rung})`}</strong>
          <StatusBadge status={outcome} />
          {statusCode !== undefined && <span className="muted small">status {statusCode}</span>}
          {proxy && <span className="muted small">by proxy {proxy}</span>}
        </span>
        <span className="numeric">{describeDuration(durationMs)}</span>
      </div>
      <Stages stages={stages} />
      <Steps steps={actions} />
    </li>
  );
}

/** The stages below one another, each with a bar as long as its share of the attempt. */
function Stages({ stages }: { readonly stages: NonNullable<Attempt['stages']> }) {
  const list = stagesOf(stages);
  if (list.length === 0) return null;
  return (
    <ul className={styles.stages} aria-label="Stages">
      {list.map(({ name, label, ms, share }) => (
        <li key={name}>
          <span>{label}</span>
          <span className={styles.bar} aria-hidden="true">
            <span style={{ width: `${100 * share}%` }} />
          </span>
          <span className="numeric">{ms} ms</span>
        </li>
      ))}
    </ul>
  );
}

/** The steps of `actions`, as the page was used. */
function Steps({ steps }: { readonly steps: NonNullable<Attempt['actions']> }) {
  if (steps.length === 0) return null;
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map(({ index, step, outcome, rounds, durationMs, url }) => (
        <li key={index}>
          <code>{step}</code>
          <span className="muted small">
            {rounds !== undefined && `${rounds} times `}
            {url}
          </span>
          <StatusBadge status={outcome} />
          <span className="numeric">{durationMs} ms</span>
        </li>
      ))}
    </ol>
  );
}
