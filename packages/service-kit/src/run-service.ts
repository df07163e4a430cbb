import {
  type ConfigTable,
  collectGarbage,
  EXIT_CODES,
  findMisspeltNames,
  optimiseSooner,
  processEnv,
  readConfig,
  renderHelp,
  StartupError,
} from '@gleaner/config';
import { type ServiceConfig, serviceSettings } from './config/service-settings.ts';
import { Readiness } from './health/readiness.ts';
import { ClosingSteps } from './lifecycle/closing-steps.ts';
import { describeFault } from './lifecycle/describe-fault.ts';
import { exitOnFault } from './lifecycle/exit-on-fault.ts';
import { openService } from './lifecycle/open-service.ts';
import type { Backends, ReadyMessage, Service } from './lifecycle/service.ts';
import { listenForStop, type StopReason, type StopRequest } from './lifecycle/stop-request.ts';
import { createLogger, type Logger } from './logger/create-logger.ts';

/**
 * The whole life of a service's process: configuration → logger → health and metrics → database → broker → `start`
 * → ready, until it is asked to stop: not ready → `stop` → broker → database → exit. Ends with one of EXIT_CODES.
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
  const logger = openLogger(service.name, config);
  for (const { name, meant } of findMisspeltNames(settings, processEnv())) {
    logger.warn({ name }, `The variable ${name} is set but unknown: did you mean ${meant}?`);
  }
  const closing = new ClosingSteps(logger);
  const exitCode = await live(service, { config, logger, closing, stopRequest: listenForStop(logger) });
  const isClean = await closing.run();
  logger.info('Stopped.');
  process.exit(isClean ? exitCode : EXIT_CODES.failed);
}

function readConfigOrExit(serviceName: string, settings: ConfigTable): ServiceConfig {
  try {
    // The settings of backends that the service does not use are missing, and nobody reads them.
    return readConfig(settings, processEnv()) as ServiceConfig;
  } catch (fault) {
    if (!(fault instanceof StartupError)) throw fault;
    process.stderr.write(`gleaner ${serviceName}: ${fault.message}\n${fault.suggestion}\n`);
    process.exit(fault.exitCode);
  }
}

function openLogger(service: string, config: ServiceConfig): Logger {
  const { INSTANCE: instance, LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const logger = createLogger({ service, instance, level, format });
  exitOnFault(logger);
  return logger;
}

interface Life {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly closing: ClosingSteps;
  readonly stopRequest: StopRequest;
}

/** From the start to the request to stop; the exit code. */
async function live<Table extends ConfigTable, Uses extends keyof Backends>(
  service: Service<Table, Uses>,
  { config, logger, closing, stopRequest }: Life,
): Promise<number> {
  const readiness = new Readiness();
  const { signal, received } = stopRequest;
  try {
    const { stop, ports } = await openService(service, {
      config,
      logger,
      readiness,
      closing,
      stopSignal: signal,
    });
    collectGarbage();
    optimiseSooner();
    readiness.phase = 'running';
    logger.info({ ports }, 'Ready.');
    tellParent({ type: 'ready', ports });
    const timeoutMs = drainTimeoutMs(await received, config.SHUTDOWN_TIMEOUT_MS);
    closing.add({ name: 'the work in flight', close: stop, timeoutMs });
    return EXIT_CODES.done;
  } catch (err) {
    if (signal.aborted) return EXIT_CODES.done;
    logger.fatal({ err }, describeFault(err));
    return err instanceof StartupError ? err.exitCode : EXIT_CODES.failed;
  } finally {
    readiness.phase = 'draining';
  }
}

function tellParent(message: ReadyMessage): void {
  if (process.connected) process.send?.(message);
}

/** Without its parent a service must not linger: the next start needs its ports. */
const ORPHAN_TIMEOUT_MS = 2000;

function drainTimeoutMs(reason: StopReason, shutdownTimeoutMs: number): number {
  return reason === 'parent gone' ? Math.min(ORPHAN_TIMEOUT_MS, shutdownTimeoutMs) : shutdownTimeoutMs;
}
