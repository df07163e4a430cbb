import type { Delivery, QueryOf } from '@gleaner/client';
import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { CodeBlock, CopyText } from '../parts/data/code-block.tsx';
import { PagedList } from '../parts/data/paged-list.tsx';
import { UrlText } from '../parts/data/url-text.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
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
  const filters: QueryOf<'listWebhookDeliveries'> = {
    ...{ limit: PAGE_SIZE, offset },
    ...(isState(status) && { status }),
  };
  const query = useQuery({
    queryKey: ['deliveries', filters],
    queryFn: ({ signal }) => gleaner.webhooks.deliveries(filters, { signal }).page(),
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
          <PagedList
            query={query}
            noun="deliveries"
            onOffset={(next) => go({ offset: next, ...(status && { status }) })}
            empty={
              <EmptyState icon="hook" title={status ? `No ${status} deliveries` : 'No deliveries yet'}>
                {status
                  ? 'Choose another state, or all of them.'
                  : 'Send a test to one of your endpoints, or create a job with a webhook.'}
              </EmptyState>
            }
          >
            {(items) => (
              <ul className={styles.list}>
                {items.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </ul>
            )}
          </PagedList>
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

const SECRET_QUERY = ['webhook-secret'] as const;

const VERIFY = `import { verifyWebhook } from '@gleaner/client';

const event = await verifyWebhook(body, headers, process.env.WEBHOOK_SECRET);`;

/** The secret that signs deliveries, on request, and how to check a signature. */
function SecretPanel() {
  const [isShown, setShown] = useState(false);
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: SECRET_QUERY,
    queryFn: ({ signal }) => gleaner.webhooks.secret({ signal }),
    enabled: isShown,
  });
  return (
    <section className="card stack" aria-label="Signing secret">
      <h2>Signing secret</h2>
      <p className="muted small">Every delivery is signed as Standard Webhooks defines. Verify it with:</p>
      <CodeBlock label="Verification" text={VERIFY} />
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isShown && data && (
        <div className="stack-tight">
          <code style={{ overflowWrap: 'anywhere' }}>{data.secret}</code>
          <span className="row">
            <CopyText text={data.secret} label="Copy the secret" />
            {data.previousValidUntil && (
              <span className="muted small">
                The previous secret also signs until <Time at={data.previousValidUntil} />.
              </span>
            )}
          </span>
        </div>
      )}
      <div className="row">
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the secret' : 'Show the secret'}
        </Button>
        <ConfirmButton
          label="Rotate"
          question="A new secret signs from now on. For one day, deliveries carry both signatures, so that you can update your endpoints."
          confirm="Rotate the secret"
          changes="webhook-secret"
          action={async () => queries.setQueryData(SECRET_QUERY, await gleaner.webhooks.rotateSecret())}
          onDone={() => setShown(true)}
        />
      </div>
    </section>
  );
}
