import type { PageSuccess } from '@gleaner/client';
import { StatusBadge } from '../parts/marks/status-badge.tsx';

/** Remarks about the values of a page; nothing without any. */
export function WarningList({ warnings = [] }: { readonly warnings?: PageSuccess['warnings'] | undefined }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="stack-tight" aria-label="Warnings">
      {warnings.map(({ code, field, message }) => (
        <li key={`${code} ${field}`} className="small">
          <StatusBadge status={code} /> {message}
        </li>
      ))}
    </ul>
  );
}
