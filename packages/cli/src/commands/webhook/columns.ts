import type { Delivery } from '@gleaner/client';
import type { Column } from '../../output/render-table.ts';

/** Columns of a table of deliveries. */
export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'type', value: ({ type }) => type },
  { name: 'status', isWhole: true, value: ({ status }) => status },
  { name: 'attempts', isWhole: true, isMinor: true, value: ({ attemptCount }) => attemptCount },
  { name: 'answer', value: lastAnswer },
  { name: 'next', isWhole: true, isMinor: true, value: ({ nextAttemptAt }) => nextAttemptAt },
  { name: 'url', value: ({ url }) => url },
];

/** Returns the fields of a delivery for people. */
export function fieldsOfDelivery(delivery: Delivery): [string, unknown][] {
  return [
    ...Object.entries({ id: delivery.id, type: delivery.type, status: delivery.status, url: delivery.url }),
    ['answer', lastAnswer(delivery)],
    ['reason', delivery.reason],
    ['job', delivery.jobId],
    ['next attempt', delivery.nextAttemptAt],
  ];
}

function lastAnswer({ attempts }: Delivery): string | undefined {
  const last = attempts.at(-1);
  if (!last) return undefined;
  return [last.statusCode, last.error].filter((part) => part !== undefined).join(' ');
}
