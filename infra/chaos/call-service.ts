import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from './stack/chaos-stack.ts';

/** Responses of the service while faults were injected. */
export interface AnswerLog {
  /** Responses with 503, and other responses with 5xx. */
  refusals: number;
  /** Those without Retry-After or with another status. */
  readonly dishonest: string[];
  /** Calls without a response in time. */
  readonly missing: string[];
  /** Calls that were not sent, or lost their connection before the response. */
  readonly broken: string[];
}

/** Calls of the REST API while faults are injected. */
export interface Calls {
  readonly answers: AnswerLog;
  /** Makes a call once. Rejects when there is no response. */
  call<Answer>(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answered<Answer>>;
  /** Makes a call and retries until there is a response, which is returned with its status. */
  insist<Answer>(...parameters: Parameters<Calls['call']>): Promise<Answered<Answer>>;
}

/** A response of the REST API. */
export interface Answered<Answer> {
  readonly status: number;
  readonly json: Answer;
}

type Service = Pick<ChaosStack, 'url' | 'apiKey'>;

/** More than the gateway lets any of these calls wait: 15 s for an orchestrator, and a few for a broker that is half gone. */
const CALL_TIMEOUT_MS = 25_000;
/** Timeout of the client; the check of the recovery finds a service that is away for longer. */
const PATIENCE_MS = 600_000;

/** Creates the calls to a gateway of a stack, with a log of their failures. */
export function createCalls(service: Service): Calls {
  const answers: AnswerLog = { refusals: 0, dishonest: [], missing: [], broken: [] };
  const call: Calls['call'] = async <Answer>(...[method, path, body, headers]: Parameters<Calls['call']>) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { ...ownHeaders(service), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    }).catch((fault: Error) => {
      if (fault.name === 'TimeoutError') answers.missing.push(`${method} ${path} was not answered.`);
      else answers.broken.push(`${method} ${path} broke: ${String(fault.cause ?? fault)}`);
      throw fault;
    });
    const { status } = response;
    const json: unknown = await response.json();
    const retryAfter = response.headers.get('retry-after');
    if (status >= 500) answers.refusals += 1;
    if (status >= 500 && (status !== 503 || !retryAfter)) {
      const answer = `${status}, Retry-After ${retryAfter}: ${JSON.stringify(json)}`;
      answers.dishonest.push(`${method} ${path} was answered ${answer}`);
    }
    return { status, json: json as Answer };
  };
  return {
    answers,
    call,
    async insist<Answer>(...parameters: Parameters<Calls['call']>) {
      const giveUpAtMs = Date.now() + PATIENCE_MS;
      for (;;) {
        const answer = await call<Answer>(...parameters).catch(() => undefined);
        if (answer && answer.status < 500) return answer;
        if (Date.now() > giveUpAtMs) throw new Error(`No answer within ${PATIENCE_MS} ms.`);
        await sleep(250);
      }
    },
  };
}

/** Returns headers of every call. A connection that was kept open may be closed by a process that stops just when it is used. */
function ownHeaders({ apiKey }: Service): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', connection: 'close' };
}
