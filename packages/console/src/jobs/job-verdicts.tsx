import type { Job } from '@gleaner/client';
import { Link } from '@tanstack/react-router';

/** Counts the results of a job by the kind of their pages, each with a link to them; nothing while all are content. */
export function JobVerdicts({ job: { id, verdicts = {} } }: { readonly job: Job }) {
  const counts = Object.entries(verdicts);
  if (counts.every(([kind]) => kind === 'content')) return null;
  return (
    <ul className="row small" aria-label="Results by the kind of their pages">
      {counts.map(([kind, count]) => (
        <li key={kind}>
          <Link to="/jobs/$id" params={{ id }} search={{ verdict: kind }}>
            {count.toLocaleString()} {kind}
          </Link>
        </li>
      ))}
    </ul>
  );
}
