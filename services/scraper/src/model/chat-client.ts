import { AppError, defined, MAX_ANSWER_LENGTH } from '@gleaner/contracts';
import { createEgressPolicy, createHttpClient, type HttpClient } from '@gleaner/egress';

/** Settings of a model that the operator names. */
export interface ChatSettings {
  /** Base of the API, or its address of chat completions. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** A message of a conversation. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A question to a model. */
export interface ChatQuestion {
  readonly messages: readonly ChatMessage[];
  /** JSON schema of the answer. */
  readonly schema: object;
  readonly maxTokens: number;
}

/** Answer of a model, and its tokens. */
export interface ChatAnswer {
  readonly content: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Reason why a model gave no usable answer, as a sentence for the caller. */
export class ModelError extends Error {}

/** An answer with all its quotes escaped, and what an API says around it. */
const MAX_RESPONSE_BYTES = 4 * MAX_ANSWER_LENGTH;

/** Talks to an API of chat completions. */
export class ChatClient {
  readonly model: string;
  readonly #url: string;
  readonly #apiKey: string | undefined;
  readonly #http: HttpClient;
  /** Newer models have another name for it. */
  #limitName: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';

  constructor({ url, model, apiKey }: ChatSettings) {
    this.model = model;
    this.#url = addressOf(url);
    this.#apiKey = apiKey;
    // The operator's own address may be a private one; no redirect leads elsewhere.
    this.#http = createHttpClient({
      policy: createEgressPolicy({ allow: [hostOf(url)] }),
      redirects: 'answer',
      longBodies: 'refuse',
      maxBodyBytes: MAX_RESPONSE_BYTES,
      maxAttempts: 1,
    });
  }

  /** Asks the model once. Throws a ModelError, or the reason of the signal. */
  async ask(question: ChatQuestion, signal: AbortSignal): Promise<ChatAnswer> {
    const response = await this.#send(question, signal);
    if (response.statusCode === 400 && this.#limitName === 'max_tokens' && namesOtherLimit(response.body)) {
      this.#limitName = 'max_completion_tokens';
      return readAnswer(await this.#send(question, signal), question);
    }
    return readAnswer(response, question);
  }

  close(): void {
    this.#http.close();
  }

  async #send({ messages, schema, maxTokens }: ChatQuestion, signal: AbortSignal) {
    const body = JSON.stringify({
      model: this.model,
      messages,
      [this.#limitName]: maxTokens,
      response_format: { type: 'json_schema', json_schema: { name: 'page', strict: true, schema } },
    });
    const authorization = this.#apiKey === undefined ? undefined : `Bearer ${this.#apiKey}`;
    try {
      return await this.#http.fetchPage(
        {
          url: this.#url,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...defined({ authorization }),
          },
          body: Buffer.from(body),
        },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw new ModelError(explainFailure(error), { cause: error });
    }
  }
}

function addressOf(url: string): string {
  const address = new URL(url);
  const path = address.pathname.replace(/\/{1,9}$/, '');
  if (!path.endsWith('/chat/completions')) address.pathname = `${path}/chat/completions`;
  return address.href;
}

/** Returns the entry of an allow list for the host and port of a URL. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

function namesOtherLimit(body: Buffer): boolean {
  return body.includes('max_completion_tokens');
}

/** Explains an error of the connection, without the address of the operator. */
function explainFailure(error: unknown): string {
  if (error instanceof AppError && error.code === 'UNSUPPORTED_CONTENT')
    return 'The answer of the model is too long.';
  return 'The model could not be reached.';
}

/** Messages of statuses; bodies of errors may quote what the operator keeps secret. */
const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  401: 'The model refused the LLM_API_KEY of the operator.',
  403: 'The model refused the LLM_API_KEY of the operator.',
  404: 'The API of the model knows no such address or model.',
  429: 'The model is asked too often at the moment.',
};

function readAnswer(
  { statusCode, body }: { readonly statusCode: number; readonly body: Buffer },
  { messages }: ChatQuestion,
): ChatAnswer {
  if (statusCode !== 200)
    throw new ModelError(STATUS_MESSAGES[statusCode] ?? `The model answered with status ${statusCode}.`);
  const { choices, usage } = parseObject(body.toString());
  const [choice] = Array.isArray(choices) ? choices : [];
  const { message, finish_reason: reason } = objectOf(choice);
  const { content, refusal } = objectOf(message);
  if (typeof refusal === 'string' || reason === 'content_filter')
    throw new ModelError('The model refused to answer for this page.');
  if (reason === 'length') throw new ModelError('The answer of the model is too long: ask for fewer fields.');
  if (typeof content !== 'string') throw new ModelError('The model answered without a text.');
  if (content.length > MAX_ANSWER_LENGTH) throw new ModelError('The answer of the model is too long.');
  const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = objectOf(usage);
  return {
    content,
    tokensIn: countOf(tokensIn) ?? tokensOf(messages.map((each) => each.content).join('')),
    tokensOut: countOf(tokensOut) ?? tokensOf(content),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    throw new ModelError('The API of the model answered with something else than JSON.');
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Bytes of a token, on average. */
const BYTES_PER_TOKEN = 4;

/** Estimates the number of tokens of a text. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
