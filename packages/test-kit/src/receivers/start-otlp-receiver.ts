import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly hasFailed: boolean;
}

/** A running collector. */
export interface OtlpReceiver extends AsyncDisposable {
  /** Base URL, as OTEL_EXPORTER_OTLP_ENDPOINT takes it. */
  readonly url: string;
  /** Every span so far. */
  readonly spans: readonly ReceivedSpan[];
  /** Headers of the last request. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Starts a collector on loopback that takes traces by OTLP over HTTP, in JSON (https://opentelemetry.io/docs/specs/otlp/). */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let headers: OtlpReceiver['headers'] = {};
  const server = createServer((request, response) => {
    headers = request.headers;
    readSpans(request).then(
      (received) => {
        spans.push(...received);
        response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' });
        response.end('{}');
      },
      () => request.socket.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    get headers() {
      return headers;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpBody {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status?: { readonly code?: number };
}

async function readSpans(request: IncomingMessage): Promise<ReceivedSpan[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { resourceSpans = [] }: OtlpBody = JSON.parse(Buffer.concat(chunks).toString());
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => describe(service, span)));
  });
}

/** Code of the status of a span that has failed. */
const ERROR = 2;

function describe(service: string, span: OtlpSpan): ReceivedSpan {
  const { name, traceId, spanId, parentSpanId = '', startTimeUnixNano, endTimeUnixNano } = span;
  return {
    service,
    name,
    traceId,
    spanId,
    parentSpanId,
    durationMs: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
    attributes: valuesOf(span.attributes),
    hasFailed: span.status?.code === ERROR,
  };
}

function valuesOf(attributes: readonly OtlpAttribute[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? doubleValue ?? Number(intValue),
    ]),
  );
}
