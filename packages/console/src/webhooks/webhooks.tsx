import type { Delivery, QueryOf } from '@gleaner/client';
import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { Pager } from '../parts/data/pager.tsx';
import { UrlText } from '../parts/data/url-text.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { DeliveryAttempts, TestPanel } from './test-panel.tsx';
import styles from './webhooks.module.css';

const PAGE_SIZE = 30;
const POLL_MS = 5_000;
const STATES = ['pending', 'delivered', 'failed', 'gone'] as const;

const LABELS = {
  pending: 'pending',
  delivered: 'delivered',
  failed: 'failed',
  gone: 'gone (410)',
} as const;

/** The deliveries of webhooks with each of their attempts, a test, and the secret that signs them. */
export function Webhooks() {
  const { offset = 0, status } = useSearch({ from: '/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const go = (search: { offset?: number; status?: string }) => void navigate({ search }).catch(() => {});
  const query: QueryOf<'listWebhookDeliveries'> = {
    ...{ limit: PAGE_SIZE, offset },
    ...(isState(status) && { status }),
  };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['deliveries', query],
    queryFn: ({ signal }) => gleaner.webhooks.deliveries(query, { signal }).page(),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Webhooks"
        below="Events that jobs sent to the URL in their “webhook” option."
        actions={
          <NativeSelect
            aria-label="Status"
            size="sm"
            value={status ?? ''}
            onChange={(event) => go(event.currentTarget.value ? { status: event.currentTarget.value } : {})}
            data={[
              { value: '', label: 'All states' },
              ...STATES.map((state) => ({ value: state, label: LABELS[state] })),
            ]}
          />
        }
      />
      <div className={styles.columns}>
        <section className="stack" aria-label="Deliveries">
          {error && <ErrorPanel error={error} onRetry={refetch} />}
          {isPending && <WaitingRows label="Loading deliveries" />}
          {data && data.items.length === 0 && (
            <EmptyState icon="hook" title={status ? `No ${status} deliveries` : 'No deliveries yet'}>
              {status
                ? 'Choose another state, or all of them.'
                : 'Send a test to one of your endpoints, or create a job with a webhook.'}
            </EmptyState>
          )}
          {data && data.items.length > 0 && (
            <>
              <ul className={styles.list}>
                {data.items.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </ul>
              <Pager
                pagination={data.pagination}
                onOffset={(next) => go({ offset: next, ...(status && { status }) })}
              />
            </>
          )}
        </section>
        <div className="stack">
          <TestPanel />
          <SecretPanel />
        </div>
      </div>
    </>
  );
}

function isState(text: string | undefined): text is Delivery['status'] {
  return STATES.some((state) => state === text);
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, type, url, status, attemptCount, createdAt, jobId, nextAttemptAt, reason } = delivery;
  const queries = useQueryClient();
  const announce = useAnnounce();
  const redeliver = useMutation({
    mutationFn: () => gleaner.webhooks.redeliver(id),
    onSuccess: () => {
      announce('Sent again');
      return queries.invalidateQueries({ queryKey: ['deliveries'] });
    },
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
