import {
  type ConfigTable,
  EXIT_CODES,
  findMisspelledNames,
  optimizeSooner,
  processEnv,
  readConfig,
  renderHelp,
  StartupError,
  stopOptimizing,
} from '@gleaner/config';
import { AppError } from '@gleaner/contracts';
import { type ServiceConfig, serviceSettings } from './common-settings.ts';
import { Readiness } from './health/readiness.ts';
import { ClosingSteps } from './lifecycle/closing-steps.ts';
import { openService } from './lifecycle/open-service.ts';
import type { Backends, ReadyMessage, Service } from './lifecycle/service.ts';
import { createLogger, type Logger } from './logger/create-logger.ts';
import { openTracer } from './tracing/open-tracer.ts';
import type { Tracer, TracerOptions } from './tracing/tracer.ts';

/** Names of the services that run in this process. */
const running = new Set<string>();

/**
 * Runs a service for the life of its process: configuration → logger → health and metrics → database → broker → `start`
 * → ready; after a request to stop: not ready → `stop` → broker → database → exit with one of EXIT_CODES. Services may
 * share a process: each tells the parent when it is ready, all stop when one fails, and the last one ends the process.
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
  running.add(service.name);
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
  const { tracer } = tracing;
  const stopRequest = listenForStop(logger);
  const exitCode = await runUntilStopped(service, { config, logger, tracer, closing, stopRequest });
  stopOptimizing();
  const isClean = await closing.run();
  logger.info('Stopped.');
  process.exitCode ||= isClean ? exitCode : EXIT_CODES.failed;
  running.delete(service.name);
  if (running.size === 0) process.exit();
  // A request to stop reaches all services of a process; a failure is known to this one only.
  if (!stopRequest.signal.aborted) process.kill(process.pid, 'SIGTERM');
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
    service,
    instance: config.INSTANCE,
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

/** Describes in one line why a service could not start, with the suggestion of the error if it has one. */
function describeStartError(error: unknown): string {
  if (error instanceof StartupError || error instanceof AppError)
    return `${error.message} ${error.suggestion}`;
  return `The service could not start: ${error instanceof Error ? error.message : String(error)}`;
}

/** Ends the process with code 1, after a fatal log line, at the first uncaught error or unhandled rejection. */
function exitOnUncaughtError(logger: Logger): void {
  const exit = (what: string) => (err: unknown) => {
    logger.fatal({ err }, `${what}: the state of the process is unknown, so it ends.`);
    process.exit(EXIT_CODES.failed);
  };
  process.on('uncaughtException', exit('An error was not caught'));
  process.on('unhandledRejection', exit('A rejected promise was not handled'));
}

/** Reason of a request to stop. */
type StopReason = 'SIGTERM' | 'SIGINT' | 'parent gone';

/** Request to stop, which a process receives once. */
interface StopRequest {
  /** Aborted with the reason when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Resolves at the same time. */
  readonly received: Promise<StopReason>;
}

/** One Ctrl-C arrives more than once: the terminal signals the whole group, and npm passes it on as well. */
const SAME_REQUEST_MS = 250;

/**
 * Listens for SIGTERM, SIGINT and, under a parent with an IPC channel, for that parent's end. A second signal
 * ends the process at once with code 130.
 */
function listenForStop(logger: Logger): StopRequest {
  const stop = new AbortController();
  const { promise: received, resolve } = Promise.withResolvers<StopReason>();
  let requestedAtMs: number | undefined;
  const onRequest = (reason: StopReason) => {
    const nowMs = performance.now();
    if (requestedAtMs === undefined) {
      requestedAtMs = nowMs;
      logger.info(
        { reason },
        'Asked to stop: finishing the work in progress; a second signal ends the process at once.',
      );
      stop.abort(new Error(`The process was asked to stop (${reason}).`));
      resolve(reason);
    } else if (reason !== 'parent gone' && nowMs - requestedAtMs > SAME_REQUEST_MS) {
      logger.warn({ reason }, 'Asked to stop a second time: ending without finishing the work in progress.');
      process.exit(EXIT_CODES.interrupted);
    }
  };
  process.on('SIGTERM', onRequest);
  process.on('SIGINT', onRequest);
  if (process.channel) process.on('disconnect', () => onRequest('parent gone'));
  return { signal: stop.signal, received };
}
