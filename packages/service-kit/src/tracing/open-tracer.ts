import { NO_TRACER, type OpenedTracer, type TracerOptions } from './tracer.ts';

/** Opens the tracer that the settings ask for. OpenTelemetry is loaded only here, and only with an endpoint. */
export async function openTracer({ endpoint, ...options }: TracerOptions): Promise<OpenedTracer> {
  if (endpoint === undefined) return { tracer: NO_TRACER, close: async () => {} };
  const { createOtelTracer } = await import('./otel-tracer.ts');
  return createOtelTracer({ endpoint, ...options });
}
