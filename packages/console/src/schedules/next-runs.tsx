import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { problemAt } from '../forms/problems.ts';
import styles from './next-runs.module.css';

const TYPING_MS = 300;

/** The next times of a cron expression, in its own zone and in that of the reader. */
export function NextRuns({ cron, timezone }: { readonly cron: string; readonly timezone: string }) {
  const [timing] = useDebouncedValue({ cron: cron.trim(), timezone: timezone.trim() }, TYPING_MS);
  const { data, error } = useQuery({
    queryKey: ['schedules', 'preview', timing],
    queryFn: ({ signal }) =>
      gleaner.schedules.preview(
        { cron: timing.cron, ...(timing.timezone && { timezone: timing.timezone }) },
        { signal },
      ),
    enabled: timing.cron !== '',
    placeholderData: keepPreviousData,
  });
  if (error) {
    const problem = problemAt(error, 'cron') ?? problemAt(error, 'timezone') ?? error.message;
    return <p className="bad small">{problem}</p>;
  }
  if (!data) return null;
  const isForeign = data.timezone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section className={styles.runs} aria-label="Next runs">
      <h2>Next runs</h2>
      <ol>
        {data.runs.map((at) => (
          <li key={at}>
            <time dateTime={at}>{format(at, data.timezone)}</time>
            {isForeign && <span className="muted small">{format(at)} here</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function format(at: string, timeZone?: string): string {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    ...(timeZone && { timeZone }),
  }).format(date);
}

/** A cron expression in words, once the code that knows them has loaded; the expression itself is its title. */
export function CronWords({ cron, timezone }: { readonly cron: string; readonly timezone: string }) {
  const { data: words } = useQuery({
    queryKey: ['cron-words', cron],
    queryFn: () => wordsOf(cron),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <span title={`${cron} (${timezone})`}>
      {words ?? <code>{cron}</code>} <span className="muted small">{timezone}</span>
    </span>
  );
}

async function wordsOf(cron: string): Promise<string | null> {
  const { default: cronstrue } = await import('cronstrue');
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    // What is not a cron expression is shown as it is; the service says what is wrong with it.
    return null;
  }
}
