import type { TracedAttempt } from '@gleaner/contracts';
import type { Tracer } from '@gleaner/service-kit';
import type { ClimbOutcome } from './climb.ts';

/** Records the attempts of a climb as spans, except for `before`, the attempts of other workers. */
export function noteAttempts(
  outcome: ClimbOutcome,
  { before, url }: { readonly before: readonly TracedAttempt[] | undefined; readonly url: string },
  tracer: Tracer,
): void {
  if (!tracer.isOn) return;
  for (const attempt of attemptsOf(outcome).slice(before?.length ?? 0)) noteAttempt(attempt, url, tracer);
}

function attemptsOf(outcome: ClimbOutcome): readonly TracedAttempt[] {
  if (outcome.kind === 'forward') return outcome.climb.attempts;
  return outcome.reply.ok ? outcome.reply.result.attempts : outcome.reply.attempts;
}

function noteAttempt(attempt: TracedAttempt, url: string, tracer: Tracer): void {
  const {
    engine,
    rung,
    proxy,
    statusCode,
    outcome,
    durationMs,
    startedAtMs = Date.now(),
    stages = {},
  } = attempt;
  const times = Object.entries(stages).map(([stage, ms]) => [`gleaner.stage.${stage}.ms`, ms]);
  tracer.note({
    name: 'attempt',
    kind: 'client',
    startedAtMs,
    durationMs,
    attributes: {
      'gleaner.engine': engine,
      'gleaner.rung': rung,
      'gleaner.proxy': proxy,
      'server.address': URL.parse(url)?.hostname,
      'http.response.status_code': statusCode,
      ...Object.fromEntries(times),
    },
    ...(outcome !== 'success' && { error: outcome }),
  });
}
