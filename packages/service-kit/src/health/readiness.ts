import { redact } from '@gleaner/config';

/** Throws, or rejects, with the reason when what it looks at can't be worked with now. */
export type Check = (signal: AbortSignal) => unknown;

/** starting → running → draining, never back. */
export type Phase = 'starting' | 'running' | 'draining';

/** The answer of `/readyz`. */
export interface ReadinessReport {
  readonly status: 'ready' | 'not ready' | 'starting' | 'draining';
  readonly checks: Readonly<Record<string, CheckReport>>;
}

interface CheckReport {
  readonly ok: boolean;
  readonly durationMs: number;
  readonly reason?: string;
}

const CHECK_TIMEOUT_MS = 2000;

/** Whether work may be sent to this process: it runs, and every check passes within 2 s. */
export class Readiness {
  phase: Phase = 'starting';
  readonly #checks = new Map<string, Check>();
  #running: Promise<ReadinessReport> | undefined;

  /** Adds checks by name. */
  add(checks: Readonly<Record<string, Check>>): void {
    for (const [name, check] of Object.entries(checks)) this.#checks.set(name, check);
  }

  /** Runs all checks at once; callers that come meanwhile share the result. Never rejects. */
  report(): Promise<ReadinessReport> {
    this.#running ??= this.#runChecks().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runChecks(): Promise<ReadinessReport> {
    const reports = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await runCheck(check)] as const),
    );
    const isFit = reports.every(([, { ok }]) => ok);
    return { status: statusOf(this.phase, isFit), checks: Object.fromEntries(reports) };
  }
}

function statusOf(phase: Phase, isFit: boolean): ReadinessReport['status'] {
  if (phase !== 'running') return phase;
  return isFit ? 'ready' : 'not ready';
}

async function runCheck(check: Check): Promise<CheckReport> {
  const startedAtMs = performance.now();
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)));
  });
  const outcome = await Promise.race([(async () => check(signal))(), timedOut]).then(
    () => ({ ok: true }),
    (fault: unknown) => ({
      ok: false,
      reason: redact(fault instanceof Error ? fault.message : String(fault)),
    }),
  );
  return { ...outcome, durationMs: Math.round(performance.now() - startedAtMs) };
}
