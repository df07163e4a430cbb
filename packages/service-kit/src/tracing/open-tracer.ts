import { NO_TRACER, type Tracer } from './tracer.ts';

/** Settings of a tracer. */
export interface TracerOptions {
  readonly service: string;
  readonly instance?: string | undefined;
  /** Base URL of a collector that takes OTLP over HTTP; nothing is recorded, or loaded, without it. */
  readonly endpoint: string | undefined;
  /** Further headers of the requests to it, as `name=value,…`. */
  readonly headers?: string | undefined;
  /** Share of the traces that begin here which are recorded; others follow the decision that came with them. */
  readonly ratio: number;
  /** Called with the reason when spans were not sent. */
  readonly onError: (message: string) => void;
}

/** A tracer, and how to send the last spans. */
export interface OpenedTracer {
  readonly tracer: Tracer;
  close(): Promise<void>;
}

/** Opens the tracer that the settings ask for. OpenTelemetry is loaded only here, and only with an endpoint. */
export async function openTracer({ endpoint, ...options }: TracerOptions): Promise<OpenedTracer> {
  if (endpoint === undefined) return { tracer: NO_TRACER, close: async () => {} };
  const { createOtelTracer } = await import('./otel-tracer.ts');
  return createOtelTracer({ endpoint, ...options });
}
