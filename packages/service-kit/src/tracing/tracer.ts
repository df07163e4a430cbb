/** Attributes of a span: no URLs with paths, headers or bodies, which may hold secrets. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Beginning of a span. */
export interface SpanOptions {
  readonly name: string;
  /** Default: work inside of this process. */
  readonly kind?: 'server' | 'client' | 'consumer';
  /** `traceparent` (https://www.w3.org/TR/trace-context/) of the span that it belongs to; by default the current one. */
  readonly parent?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** A span that has ended. */
export interface EndedSpan extends SpanOptions {
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Code of the error that it ended with. */
  readonly error?: string | undefined;
}

/** A span that has not ended. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, with the code of the error. */
  fail(code: string): void;
}

/** Records spans, and passes their ids on. */
export interface Tracer {
  /** False when nothing is recorded. */
  readonly isOn: boolean;
  /** Runs work as a span, which is the current one until the work is done; an error that it throws fails the span. */
  run<Result>(options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Records a span that has ended. */
  note(span: EndedSpan): void;
  /** Returns the `traceparent` of the current span, for messages and documents; undefined outside of spans. */
  current(): string | undefined;
}

/** Settings of a tracer. */
export interface TracerOptions {
  readonly service: string;
  readonly instance?: string | undefined;
  /** Base URL of a collector that takes OTLP over HTTP; nothing is recorded, or loaded, without it. */
  readonly endpoint: string | undefined;
  /** Further headers of the requests to it, as `name=value,…`. */
  readonly headers?: string | undefined;
  /** Share of the traces begun here to record; other traces follow their sender's decision. */
  readonly ratio: number;
  /** Called with the reason when spans were not sent. */
  readonly onError: (message: string) => void;
}

/** A tracer, and how to send the last spans. */
export interface OpenedTracer {
  readonly tracer: Tracer;
  close(): Promise<void>;
}

const NO_SPAN: Span = { rename() {}, set() {}, fail() {} };

/** Records nothing. */
export const NO_TRACER: Tracer = {
  isOn: false,
  run: (_options, work) => work(NO_SPAN),
  note() {},
  current: () => undefined,
};
