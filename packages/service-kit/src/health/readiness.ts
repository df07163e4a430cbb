import { redact } from '@gleaner/config';
import { afterSilence, untilAborted } from '@gleaner/contracts';

/** Throws or rejects with the reason when the dependency it checks does not work. */
export type Check = (signal: AbortSignal) => unknown;

/** Phase of a process; it only moves forward. */
export type Phase = 'starting' | 'running' | 'draining';

/** Response body of `/readyz`. */
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

/** Decides whether work may be sent to this process: it is running, and every check passes within 2 s. */
export class Readiness {
  phase: Phase = 'starting';
  readonly #checks = new Map<string, Check>();
  #running: Promise<ReadinessReport> | undefined;

  /** Adds checks by name. */
  add(checks: Readonly<Record<string, Check>>): void {
    for (const [name, check] of Object.entries(checks)) this.#checks.set(name, check);
  }

  /** Runs all checks at once; concurrent callers share the result. Never rejects. */
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
    const allPass = reports.every(([, { ok }]) => ok);
    return { status: statusOf(this.phase, allPass), checks: Object.fromEntries(reports) };
  }
}

function statusOf(phase: Phase, allPass: boolean): ReadinessReport['status'] {
  if (phase !== 'running') return phase;
  return allPass ? 'ready' : 'not ready';
}

async function runCheck(check: Check): Promise<CheckReport> {
  const startedAtMs = performance.now();
  const late = new AbortController();
  const { signal } = late;
  const stopWaiting = afterSilence(CHECK_TIMEOUT_MS, () =>
    late.abort(new DOMException(`no response within ${CHECK_TIMEOUT_MS} ms`, 'TimeoutError')),
  );
  const outcome = await untilAborted((async () => check(signal))(), signal).then(
    () => ({ ok: true }),
    (error: unknown) => ({
      ok: false,
      reason: redact(error instanceof Error ? error.message : String(error)),
    }),
  );
  stopWaiting();
  return { ...outcome, durationMs: Math.round(performance.now() - startedAtMs) };
}
