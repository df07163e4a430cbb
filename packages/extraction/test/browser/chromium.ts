import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A page of a headless Chromium whose scripts are off. */
export interface ScriptlessPage {
  readonly version: string;
  /** Replaces the document by one parsed from the source. */
  readonly load: (html: string) => Promise<void>;
  /** Evaluates an expression in the document and returns its JSON value. */
  readonly evaluate: <T>(expression: string) => Promise<T>;
  readonly close: () => Promise<void>;
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<Reply>;

/** Reply of the protocol, with only the members used here. */
interface Reply {
  readonly product: string;
  readonly targetInfos: readonly { readonly type: string; readonly targetId: string }[];
  readonly sessionId: string;
  readonly frameTree: { readonly frame: { readonly id: string } };
  readonly result: { readonly value: never };
  readonly exceptionDetails?: object;
}

/** Starts Chromium from `path` with a debugging pipe; for recording answers, never in a test run. */
export async function openScriptlessPage(path: string): Promise<ScriptlessPage> {
  const profile = await mkdtemp(join(tmpdir(), 'gleaner-chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe'];
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const send = connect(child);
  const { product } = await send('Browser.getVersion');
  const { targetInfos } = await send('Target.getTargets');
  const { targetId } = targetInfos.find(({ type }) => type === 'page') ?? {};
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  await send('Emulation.setScriptExecutionDisabled', { value: true }, sessionId);
  const { frameTree } = await send('Page.getFrameTree', {}, sessionId);
  const frameId = frameTree.frame.id;

  return {
    version: product,
    async load(html) {
      await send('Page.setDocumentContent', { frameId, html }, sessionId);
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send(
        'Runtime.evaluate',
        { expression, returnByValue: true },
        sessionId,
      );
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return result.value;
    },
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Connects to the DevTools protocol over the pipe: JSON messages separated by NUL. */
function connect(child: ChildProcess): Send {
  const [, , , requests, replies] = child.stdio as [null, null, null, Writable, Readable];
  const pending = new Map<number, PromiseWithResolvers<Reply>>();
  let received = '';
  let lastId = 0;
  replies.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (received + chunk).split('\0');
    received = messages.pop() ?? '';
    for (const message of messages.map((text) => JSON.parse(text))) {
      const reply = pending.get(message.id);
      pending.delete(message.id);
      if (message.error) reply?.reject(new Error(message.error.message));
      else reply?.resolve(message.result);
    }
  });
  return (method, params = {}, sessionId) => {
    const reply = Promise.withResolvers<Reply>();
    pending.set(++lastId, reply);
    requests.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`);
    return reply.promise;
  };
}
