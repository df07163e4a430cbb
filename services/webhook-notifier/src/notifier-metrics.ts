import type { Metrics } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';

/** Declares the gauges of deliveries whose next attempt is due; every notifier shows the same values. */
export function declareDueGauges(
  metrics: Metrics,
  { clock, deliveries }: Pick<Stores, 'clock' | 'deliveries'>,
): void {
  const overdue = metrics.gauge({
    name: 'oldest_due_delivery_seconds',
    help: 'Time since the earliest due attempt at a webhook delivery was due; 0 if none is due.',
  });
  metrics.gauge({
    name: 'deliveries_due',
    help: 'Webhook deliveries whose next attempt is due, up to 10,000; while the database is unreachable, their last known number.',
    async collect() {
      const now = clock.now();
      const due = await deliveries.countDue(now, MAX_COUNTED).catch(() => undefined);
      if (!due) return;
      this.set(due.count);
      overdue.set(due.oldestAt ? (now.getTime() - due.oldestAt.getTime()) / 1000 : 0);
    },
  });
}

const MAX_COUNTED = 10_000;
