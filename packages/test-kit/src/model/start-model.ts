import { createRandom, type Random } from '../random.ts';
import { type SiteVisit, send, startSite } from '../sites/start-site.ts';

/** Behaviors of a model, besides the honest one. */
export const MODEL_FAULTS = [
  'lies',
  'swaps',
  'misquotes',
  'obeys',
  'stalls',
  'floods',
  'broken',
  'broken-once',
  'limited',
  'refuses',
  'plain',
] as const;

/** Behavior of a model. */
export type ModelBehavior = 'honest' | (typeof MODEL_FAULTS)[number];

/** A value with the text that shows it, as the model says. */
export interface Quoted {
  readonly value: unknown;
  readonly quote: string | null;
}

/** A request as the model saw it. */
export interface ModelCall {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format: { readonly json_schema: { readonly schema: unknown } };
    readonly max_tokens?: number;
    readonly max_completion_tokens?: number;
  };
}

/** A running model. */
export interface TestModel extends AsyncDisposable {
  /** Base of its API. */
  readonly url: string;
  readonly calls: readonly ModelCall[];
  /** Changes how it answers from now on. */
  behave(behavior: ModelBehavior): void;
}

/** Reads a page as an honest model does: an answer in the form of the schema. */
export type HonestReader = (page: string) => object;

/** Tokens that it says it took. */
export const MODEL_TOKENS = { prompt_tokens: 1200, completion_tokens: 300, total_tokens: 1500 };

/** Starts a model with an API of chat completions. It finds on pages what the reader does, and answers as its behavior says. */
export async function startModel(read: HonestReader, { seed = 1 } = {}): Promise<TestModel> {
  const calls: ModelCall[] = [];
  const random = createRandom(seed);
  let behavior: ModelBehavior = 'honest';
  const site = await startSite(async (visit) => {
    const { request, url } = visit;
    if (url.pathname !== '/v1/chat/completions') {
      send(visit, { type: 'text/plain', body: '', status: 404 });
      return;
    }
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as ModelCall['body'];
    calls.push({ authorization: request.headers.authorization, body });
    const asked = body.messages.find(({ role }) => role === 'user')?.content ?? '';
    const page = /<page>\n([\s\S]*)\n<\/page>$/.exec(asked)?.[1] ?? '';
    answer(visit, {
      behavior,
      content: () => distort(read(page), page, { behavior, random }),
      isRepair: body.messages.length > 2,
    });
  });
  return {
    url: `${site.origin}/v1`,
    calls,
    behave(next) {
      behavior = next;
    },
    [Symbol.asyncDispose]: () => site.close(),
  };
}

interface Answering {
  readonly behavior: ModelBehavior;
  readonly content: () => object;
  readonly isRepair: boolean;
}

function answer(visit: SiteVisit, { behavior, content, isRepair }: Answering): void {
  const json = { type: 'application/json' };
  if (behavior === 'stalls') return;
  if (behavior === 'limited') {
    send(visit, { ...json, body: '{"error":{"message":"slow down"}}', status: 429 });
    return;
  }
  if (behavior === 'floods') {
    flood(visit);
    return;
  }
  const isBroken = behavior === 'broken' || (behavior === 'broken-once' && !isRepair);
  const text = isBroken ? 'Certainly! Here is the data you asked for: {"title": ' : JSON.stringify(content());
  const message =
    behavior === 'refuses' ? { content: null, refusal: 'I cannot help with that.' } : { content: text };
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } };
  send(visit, {
    ...json,
    body: JSON.stringify({ object: 'chat.completion', choices: [choice], usage: MODEL_TOKENS }),
  });
}

/** Sends 10 MB of an answer. */
function flood({ response }: SiteVisit): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"choices":[{"message":{"content":"');
  for (let megabyte = 0; megabyte < 10; megabyte += 1) response.write('x'.repeat(1_000_000));
  response.end('"}}]}');
}

interface Distortion {
  readonly behavior: ModelBehavior;
  readonly random: Random;
}

/** Returns an honest answer as a model of the behavior gives it. */
function distort(honest: object, page: string, { behavior, random }: Distortion): object {
  const quotes = leavesOf(honest).map(({ quote }) => quote);
  switch (behavior) {
    case 'lies':
      return mapLeaves(honest, (leaf) => (random.next() < 0.3 ? lie(leaf, random) : leaf));
    case 'misquotes':
      return mapLeaves(honest, (leaf) => ({ ...leaf, quote: random.pick(quotes) }));
    case 'swaps':
      return swapItems(honest) as object;
    case 'plain':
      return mapLeaves(honest, ({ value }) => value);
    case 'obeys': {
      const order = /answer "([^"]*)"/.exec(page)?.[1];
      return order === undefined ? honest : mapLeaves(honest, () => ({ value: order, quote: order }));
    }
    default:
      return honest;
  }
}

/** Changes a value, and sometimes its quote. */
function lie({ value, quote }: Quoted, random: Random): Quoted {
  const invented =
    typeof value === 'number'
      ? random.pick([value + 1, value * 10, value / 10, -value, Math.floor(value), random.between(0, 10_000)])
      : random.pick([
          `${value}x`,
          String(value).slice(1),
          'Invented',
          `${value} and more`,
          String(value).toUpperCase(),
        ]);
  return {
    value: invented,
    quote: random.pick([quote, quote, String(invented), null, 'somewhere on the page']),
  };
}

/** Gives each item of a list the last value of the item after it. */
function swapItems(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map((item: unknown, at) => {
      if (!isRecord(item) || isQuoted(item)) return item;
      const [name = ''] = Object.keys(item).slice(-1);
      const next: unknown = node[(at + 1) % node.length];
      return { ...item, [name]: isRecord(next) ? next[name] : null };
    });
  }
  if (!isRecord(node) || isQuoted(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, swapItems(each)]));
}

function leavesOf(node: unknown): Quoted[] {
  if (isQuoted(node)) return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(leavesOf) : [];
}

function mapLeaves(node: unknown, change: (leaf: Quoted) => unknown): object {
  if (isQuoted(node)) return change(node) as object;
  if (Array.isArray(node)) return node.map((each) => mapLeaves(each, change));
  const entries = Object.entries(node as object).map(
    ([name, each]) => [name, mapLeaves(each, change)] as const,
  );
  return Object.fromEntries(entries);
}

function isQuoted(node: unknown): node is Quoted {
  return isRecord(node) && 'value' in node && 'quote' in node;
}

function isRecord(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
