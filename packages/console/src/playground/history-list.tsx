import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UrlText } from '../parts/data/url-text.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { forget, type PastScrape, recall } from './history.ts';
import styles from './playground.module.css';

/** Key of the query for the requests that were kept. */
export const HISTORY_QUERY = ['scrape-history'] as const;
const SHOWN = 8;

/** The last requests; one that is chosen fills the form. */
export function HistoryList({ onChoose }: { onChoose(request: PastScrape['request']): void }) {
  const { data = [] } = useQuery({ queryKey: HISTORY_QUERY, queryFn: recall });
  const queries = useQueryClient();
  if (data.length === 0) return null;
  const clear = async () => {
    await forget();
    await queries.invalidateQueries({ queryKey: HISTORY_QUERY });
  };
  return (
    <section className="card" aria-label="History">
      <div className="spread">
        <h2>History</h2>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void clear().catch(() => {})}>
          Forget
        </Button>
      </div>
      <ul className={styles.history}>
        {data.slice(0, SHOWN).map(({ id, at, request, code, durationMs }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(request)}>
              <span className="mono">
                <UrlText url={request.url} />
              </span>
              <span className={`row muted small ${styles.outcome}`}>
                <StatusBadge status={code} />
                {describeDuration(durationMs)}
                <Time at={new Date(at).toISOString()} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
