import { useQuery } from '@tanstack/react-query';

/** A cron expression in words, once the code that knows them has loaded; the expression itself is its title. */
export function CronWords({ cron, timezone }: { readonly cron: string; readonly timezone: string }) {
  const { data: words } = useQuery({
    queryKey: ['cron-words', cron],
    queryFn: () => wordsOf(cron),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <span title={`${cron} (${timezone})`}>
      {words ?? <code>{cron}</code>} <span className="muted small">{timezone}</span>
    </span>
  );
}

async function wordsOf(cron: string): Promise<string | null> {
  const { default: cronstrue } = await import('cronstrue');
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    // What is not a cron expression is shown as it is; the service says what is wrong with it.
    return null;
  }
}
