import type { Delivery } from '@gleaner/client';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { UrlText } from '../parts/data/url-text.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { DeliveryAttempts } from './test-panel.tsx';
import styles from './webhooks.module.css';

/** A delivery, which opens to its attempts and can be sent again. */
export function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, type, url, status, attemptCount, createdAt, jobId, nextAttemptAt, reason } = delivery;
  const announce = useAnnounce();
  const redeliver = useChange({
    key: 'deliveries',
    change: () => gleaner.webhooks.redeliver(id),
    onDone: () => announce('Sent again'),
    onError: ({ message }) => announce(message),
  });
  return (
    <li>
      <details>
        <summary>
          <StatusBadge status={status} />
          <code>{type}</code>
          <span className="muted">
            <UrlText url={url} />
          </span>
          <span className="muted small">
            {attemptCount} {attemptCount === 1 ? 'attempt' : 'attempts'} · <Time at={createdAt} />
          </span>
        </summary>
        <div className={`stack ${styles.detail}`}>
          <DeliveryAttempts delivery={delivery} />
          <div className="spread">
            <span className="small">
              {jobId && (
                <Link to="/jobs/$id" params={{ id: jobId }}>
                  {jobId}
                </Link>
              )}
              {nextAttemptAt && (
                <>
                  {' '}
                  Next attempt <Time at={nextAttemptAt} />
                </>
              )}
              {reason && <span className="muted"> {reason}</span>}
            </span>
            <Button
              size="xs"
              variant="default"
              loading={redeliver.isPending}
              onClick={() => redeliver.mutate()}
            >
              Send again
            </Button>
          </div>
        </div>
      </details>
    </li>
  );
}
