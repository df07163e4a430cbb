import { AppError, type Failure, toFailure } from '@gleaner/contracts';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './call.ts';
import { type ScriptedOrchestrator, startScriptedOrchestrator } from './scripted-orchestrator.ts';
import { type ScriptedWorker, startScriptedWorker } from './scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './test-bed.ts';

/** Failure of a page that is gone. */
export const GONE: Failure = toFailure(
  new AppError('NOT_FOUND', {
    targetStatusCode: 410,
    attempts: [{ engine: 'http', statusCode: 410, outcome: 'NOT_FOUND', durationMs: 12 }],
  }),
);

/** A gateway with a worker and an orchestrator that follow scripts, and the keys of two accounts. */
interface Started {
  readonly bed: TestBed;
  readonly gateway: TestGateway;
  readonly worker: ScriptedWorker;
  readonly orchestrator: ScriptedOrchestrator;
  readonly owner: TestKey;
  readonly stranger: TestKey;
}

/** The same, and calls with the key of the owner. */
export interface GatewayService extends Started {
  ask(path: string, options?: CallOptions): Promise<TestAnswer>;
  create(body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  /** Returns a body as it was sent. */
  raw(path: string): Promise<{ type: string; text: string }>;
}

/** Starts a gateway with these settings before the tests of a file, a key of an account with a balance, and stops it after them. */
export function useGateway(
  settings: Readonly<Record<string, string>> = {},
  { balance = null }: { readonly balance?: number | null } = {},
): GatewayService {
  let started: Started | undefined;
  beforeAll(async () => {
    const bed = await startTestBed();
    const gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '100000', ...settings });
    const worker = await startScriptedWorker(bed.broker);
    const orchestrator = await startScriptedOrchestrator(bed.broker);
    const [owner, stranger] = [await bed.createKey({ balance }), await bed.createKey()];
    started = { bed, gateway, worker, orchestrator, owner, stranger };
  });
  afterEach(() => {
    started?.worker.reset();
    started?.orchestrator.reset();
  });
  afterAll(async () => {
    await started?.bed[Symbol.asyncDispose]();
  });
  const get = (): Started => {
    if (!started) throw new Error('The service starts with the first test.');
    return started;
  };
  const ask = (path: string, options: CallOptions = {}) =>
    call(get().gateway.url + path, { key: get().owner.key, ...options });
  return {
    get bed() {
      return get().bed;
    },
    get gateway() {
      return get().gateway;
    },
    get worker() {
      return get().worker;
    },
    get orchestrator() {
      return get().orchestrator;
    },
    get owner() {
      return get().owner;
    },
    get stranger() {
      return get().stranger;
    },
    ask,
    create: (body, headers = {}) => ask('/v1/jobs', { body, headers }),
    async raw(path) {
      const headers = { authorization: `Bearer ${get().owner.key}` };
      const response = await fetch(get().gateway.url + path, { headers });
      return { type: response.headers.get('content-type') ?? '', text: await response.text() };
    },
  };
}
