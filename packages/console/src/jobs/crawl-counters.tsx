import type { Job } from '@gleaner/client';
import { Facts } from '../parts/data/facts.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';

/** The counters of a crawl: fetched and waiting pages, and pages left out, with reasons. */
export function CrawlCounters({ crawl }: { readonly crawl: NonNullable<Job['crawl']> }) {
  const { fetched, waiting, running, depth, hosts, notFound, skipped, dropped, stoppedBy, warnings } = crawl;
  const leftOut = Object.entries({ ...skipped, ...dropped }).filter(([, count]) => count > 0);
  return (
    <section className="card stack" aria-label="Crawl">
      <div className="spread">
        <h2>Crawl</h2>
        {stoppedBy && <StatusBadge status={`stopped by ${stoppedBy}`} />}
      </div>
      <Facts
        facts={{
          Fetched: fetched.toLocaleString(),
          Waiting: waiting.toLocaleString(),
          Running: running.toLocaleString(),
          Depth: depth,
          Hosts: hosts,
          'Not found': notFound.toLocaleString(),
        }}
      />
      {leftOut.length > 0 && (
        <p className="muted small">
          Left out:{' '}
          {leftOut
            .map(([reason, count]) => `${count.toLocaleString()} ${NAMES[reason] ?? reason}`)
            .join(', ')}
          .
        </p>
      )}
      {warnings?.map(({ code, message }) => (
        <p key={code} className="small">
          <StatusBadge status={code} /> {message}
        </p>
      ))}
    </section>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  robots: 'denied by robots.txt',
  limit: 'beyond the limit',
  redirect: 'redirected',
  notDocument: 'no documents',
  outOfScope: 'out of scope',
  excluded: 'excluded',
  depth: 'too deep',
  trap: 'in endless series of links',
  frontierFull: 'beyond the most URLs of a crawl',
  nofollow: 'marked nofollow',
  duplicate: 'duplicate',
};
