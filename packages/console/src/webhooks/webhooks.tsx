import type { Delivery, QueryOf } from '@gleaner/client';
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { PagedList } from '../parts/data/paged-list.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { TestPanel } from './test-panel.tsx';
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
  const { status } = useSearch({ from: '/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
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
            onChange={({ currentTarget: { value } }) =>
              void navigate({ search: value ? { status: value } : {} }).catch(() => {})
            }
            data={[
              { value: '', label: 'All states' },
              ...STATES.map((state) => ({ value: state, label: LABELS[state] })),
            ]}
          />
        }
      />
      <div className={styles.columns}>
        <Deliveries />
        <div className="stack">
          <TestPanel />
          <SecretPanel />
        </div>
      </div>
    </>
  );
}

/** The deliveries of the state in the address, newest first. */
function Deliveries() {
  const { offset = 0, status } = useSearch({ from: '/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const filters: QueryOf<'listWebhookDeliveries'> = {
    limit: PAGE_SIZE,
    offset,
    ...(isState(status) && { status }),
  };
  const query = useQuery({
    queryKey: ['deliveries', filters],
    queryFn: ({ signal }) => gleaner.webhooks.deliveries(filters, { signal }).page(),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <section className="stack" aria-label="Deliveries">
      <PagedList
        query={query}
        noun="deliveries"
        onOffset={(next) =>
          void navigate({ search: { offset: next, ...(status && { status }) } }).catch(() => {})
        }
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
  );
}

function isState(text: string | undefined): text is Delivery['status'] {
  return STATES.some((state) => state === text);
}
