import { useEffect, useState } from 'react';
import { describeDistance } from './describe-distance.ts';

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time relative to now; the exact one is its title. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const now = useNow();
  if (!at) return <span className="muted">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={EXACT.format(date)} style={{ whiteSpace: 'nowrap' }}>
      {describeDistance(date.getTime() - now)}
    </time>
  );
}

/** An exact time in the zone of the reader. */
export function ExactTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{EXACT.format(new Date(at))}</time>;
}

const TICK_MS = 10_000;

/** Returns the present time, which moves every few seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
