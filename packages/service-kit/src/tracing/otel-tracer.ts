import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import { AppError, defined } from '@gleaner/contracts';
import {
  type Attributes,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type {
  EndedSpan,
  OpenedTracer,
  Span,
  SpanAttributes,
  SpanOptions,
  Tracer,
  TracerOptions,
} from './tracer.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/** Time between two requests to the collector. */
const EXPORT_INTERVAL_MS = 1000;

/** Creates a tracer that sends spans to a collector, in batches, by OTLP over HTTP. */
export function createOtelTracer(options: TracerOptions & { readonly endpoint: string }): OpenedTracer {
  const provider = createProvider(options);
  const tracer = provider.getTracer('gleaner');
  const currentSpan = new AsyncLocalStorage<SpanContext>();

  function start({ name, kind, parent, attributes }: SpanOptions, startTime?: number): OtelSpan {
    const parentContext = (parent === undefined ? null : parseTraceParent(parent)) ?? currentSpan.getStore();
    const context = parentContext
      ? trace.setSpanContext(ROOT_CONTEXT, { ...parentContext, isRemote: parent !== undefined })
      : ROOT_CONTEXT;
    const spanKind = kind ? KINDS[kind] : SpanKind.INTERNAL;
    const given = { kind: spanKind, attributes: present(attributes ?? {}) };
    return tracer.startSpan(name, { ...given, ...defined({ startTime }) }, context);
  }

  const otelTracer: Tracer = {
    isOn: true,

    async run(spanOptions, work) {
      const span = start(spanOptions);
      try {
        return await currentSpan.run(span.spanContext(), () => work(handleOf(span)));
      } catch (error) {
        fail(span, error instanceof AppError ? error.code : 'INTERNAL_ERROR');
        throw error;
      } finally {
        span.end();
      }
    },

    note({ startedAtMs, durationMs, error, ...spanOptions }: EndedSpan) {
      const span = start(spanOptions, startedAtMs);
      if (error !== undefined) fail(span, error);
      span.end(startedAtMs + durationMs);
    },

    current() {
      const context = currentSpan.getStore();
      return context && isSpanContextValid(context) ? traceparentOf(context) : undefined;
    },
  };
  return { tracer: otelTracer, close: () => provider.shutdown() };
}

function createProvider({
  service,
  instance,
  endpoint,
  headers,
  ratio,
  onError,
}: Parameters<typeof createOtelTracer>[0]) {
  const report = (message: string) => onError(message);
  const ignore = () => {};
  // The exporter has no other way to report that it cannot send.
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers: parseHeaders(headers),
  });
  return new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `gleaner-${service}`,
      'service.instance.id': instance ?? `${hostname()}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_INTERVAL_MS })],
  });
}

/** Reads `name=value,…` with percent-encoded values, as OTEL_EXPORTER_OTLP_HEADERS has them. */
function parseHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]] : [];
  });
  return Object.fromEntries(pairs);
}

function handleOf(span: OtelSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(present(attributes)),
    fail: (code) => fail(span, code),
  };
}

function fail(span: OtelSpan, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

function present(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
