import type { HostileReceiver } from './hostile-receiver.ts';

/** Violations in the events of a receiver. */
export interface EventFindings {
  readonly events: number;
  readonly tries: number;
  readonly lost: string[];
  readonly altered: string[];
  readonly other: string[];
}

/** Compares the received events with the finished jobs: one event each, accepted, with a valid signature, the same at every attempt. */
export function checkEvents(
  endedJobIds: readonly string[],
  { events, forged, followed }: Pick<HostileReceiver, 'events' | 'forged' | 'followed'>,
): EventFindings {
  const all = [...events.entries()];
  const byJob = Map.groupBy(all, ([, { jobId }]) => jobId);
  const lost = endedJobIds.filter((id) => !byJob.get(id)?.some(([, { accepted }]) => accepted > 0));
  const ended = new Set(endedJobIds);
  return {
    events: all.length,
    tries: all.reduce((sum, [, { tries }]) => sum + tries, 0),
    lost: lost.map((id) => `${id}: its event was not taken`),
    altered: all.flatMap(([id, { bodies }]) => (bodies.size > 1 ? [`${id}: ${bodies.size} bodies`] : [])),
    other: [
      ...forged,
      ...[...byJob].flatMap(([id, copies]) =>
        copies.length > 1 ? [`${id}: ${copies.length} webhook-ids`] : [],
      ),
      ...[...byJob.keys()].flatMap((id) =>
        ended.has(id) ? [] : [`${id}: an event of a job that has not ended`],
      ),
      ...(followed > 0 ? [`Redirects to a private address were followed ${followed} times.`] : []),
    ],
  };
}
