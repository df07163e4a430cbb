import {
  type ConfigTable,
  collectGarbage,
  EXIT_CODES,
  findMisspelledNames,
  optimizeSooner,
  processEnv,
  readConfig,
  renderHelp,
  StartupError,
  stopOptimizing,
} from '@gleaner/config';
import { type ServiceConfig, serviceSettings } from './config/service-settings.ts';
import { Readiness } from './health/readiness.ts';
import { ClosingSteps } from './lifecycle/closing-steps.ts';
import { describeStartError } from './lifecycle/describe-start-error.ts';
import { exitOnUncaughtError } from './lifecycle/exit-on-uncaught-error.ts';
import { openService } from './lifecycle/open-service.ts';
import type { Backends, ReadyMessage, Service } from './lifecycle/service.ts';
import { listenForStop, type StopReason, type StopRequest } from './lifecycle/stop-request.ts';
import { createLogger, type Logger } from './logger/create-logger.ts';
import { openTracer, type TracerOptions } from './tracing/open-tracer.ts';
import type { Tracer } from './tracing/tracer.ts';

/**
 * Runs a service for the life of its process: configuration → logger → health and metrics → database → broker → `start`
 * → ready; after a request to stop: not ready → `stop` → broker → database → exit with one of EXIT_CODES.
 */
export async function runService<const Table extends ConfigTable, Uses extends keyof Backends>(
  service: Service<Table, Uses>,
): Promise<void> {
  const settings = serviceSettings(service);
  if (process.argv.includes('--help')) {
    process.stdout.write(renderHelp(service.name, settings));
    return;
  }
  const config = readConfigOrExit(service.name, settings);
  let logger: Logger | undefined;
  const tracing = await openTracer({
    ...tracerOptions(service.name, config),
    onError: (message) => logger?.warn({ reason: message }, 'Traces were not sent.'),
  });
  logger = openLogger(service.name, config, tracing.tracer);
  for (const { name, meant } of findMisspelledNames(settings, processEnv())) {
    logger.warn({ name }, `The variable ${name} is set but unknown: did you mean ${meant}?`);
  }
  const closing = new ClosingSteps(logger);
  closing.add({ name: 'the traces', close: tracing.close });
  const exitCode = await runUntilStopped(service, {
    config,
    logger,
    tracer: tracing.tracer,
    closing,
    stopRequest: listenForStop(logger),
  });
  stopOptimizing();
  const isClean = await closing.run();
  logger.info('Stopped.');
  process.exit(isClean ? exitCode : EXIT_CODES.failed);
}

function readConfigOrExit(serviceName: string, settings: ConfigTable): ServiceConfig {
  try {
    // Settings of backends that the service does not use are missing, and never read.
    return readConfig(settings, processEnv()) as ServiceConfig;
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`gleaner ${serviceName}: ${error.message}\n${error.suggestion}\n`);
    process.exit(error.exitCode);
  }
}

function tracerOptions(service: string, config: ServiceConfig): Omit<TracerOptions, 'onError'> {
  return {
    ...{ service, instance: config.INSTANCE },
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
  };
}

function openLogger(service: string, config: ServiceConfig, tracer: Tracer): Logger {
  const { INSTANCE: instance, LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const logger = createLogger({ service, instance, level, format, tracer });
  exitOnUncaughtError(logger);
  return logger;
}

interface RunDeps {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly closing: ClosingSteps;
  readonly stopRequest: StopRequest;
}

/** Starts the service, waits for the request to stop, and returns the exit code. */
async function runUntilStopped<Table extends ConfigTable, Uses extends keyof Backends>(
  service: Service<Table, Uses>,
  { config, logger, tracer, closing, stopRequest }: RunDeps,
): Promise<number> {
  const readiness = new Readiness();
  const { signal, received } = stopRequest;
  try {
    const { stop, ports } = await openService(service, {
      config,
      logger,
      tracer,
      readiness,
      closing,
      stopSignal: signal,
    });
    collectGarbage();
    if (service.servesScrapes) optimizeSooner();
    readiness.phase = 'running';
    logger.info({ ports }, 'Ready.');
    sendToParent({ type: 'ready', ports });
    const timeoutMs = drainTimeoutMs(await received, config.SHUTDOWN_TIMEOUT_MS);
    closing.add({ name: 'the work in progress', close: stop, timeoutMs });
    return EXIT_CODES.done;
  } catch (err) {
    if (signal.aborted) return EXIT_CODES.done;
    logger.fatal({ err }, describeStartError(err));
    return err instanceof StartupError ? err.exitCode : EXIT_CODES.failed;
  } finally {
    readiness.phase = 'draining';
  }
}

function sendToParent(message: ReadyMessage): void {
  if (process.connected) process.send?.(message);
}

/** Without its parent a service must stop soon: the next start needs its ports. */
const ORPHAN_TIMEOUT_MS = 2000;

function drainTimeoutMs(reason: StopReason, shutdownTimeoutMs: number): number {
  return reason === 'parent gone' ? Math.min(ORPHAN_TIMEOUT_MS, shutdownTimeoutMs) : shutdownTimeoutMs;
}
