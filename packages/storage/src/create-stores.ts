import { createAccountStore } from './accounts/account-store.ts';
import { createChangeStore } from './changes/change-store.ts';
import { createCreditSteps } from './credits/credit-steps.ts';
import { createCreditStore } from './credits/credit-store.ts';
import type { Database } from './database/connect-database.ts';
import { createFileStore } from './files/file-store.ts';
import { createFingerprintStore } from './fingerprints/fingerprint-store.ts';
import { createHealthStore } from './health/health-store.ts';
import { createInstanceStore } from './instances/instance-store.ts';
import { createJobStore } from './jobs/job-store.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createLeaseStore } from './leases/lease-store.ts';
import { createPageStore } from './pages/page-store.ts';
import { createProfileStore } from './profiles/profile-store.ts';
import { createRateLimitStore } from './rate-limits/rate-limit-store.ts';
import { createRepeatedTextStore } from './repeated-texts/repeated-text-store.ts';
import { createResultStore } from './results/result-store.ts';
import { createRobotsStore } from './robots/robots-store.ts';
import { createScheduleRunStore } from './schedules/schedule-run-store.ts';
import { createScheduleStore } from './schedules/schedule-store.ts';
import { createScreenshotStore } from './screenshots/screenshot-store.ts';
import { createSecretStore } from './secrets/secret-store.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createSnapshotStore } from './snapshots/snapshot-store.ts';
import { createTraceStore } from './traces/trace-store.ts';
import { ChargedMonths } from './usage/charged-months.ts';
import { createUsageStore } from './usage/usage-store.ts';
import { createDeliveryStore } from './webhooks/delivery-store.ts';
import { createWebhookSecretStore } from './webhooks/webhook-secret-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** Creates every store on one database, and the clock that times are written and compared by. */
export function createStores(database: Pick<Database, 'models' | 'clock'>) {
  const accounts = createAccountStore(database);
  const charged = new ChargedMonths();
  return {
    clock: database.clock,
    accounts,
    keys: createKeyStore(database),
    rateLimits: createRateLimitStore(database),
    credits: createCreditStore(createCreditSteps(database, charged)),
    jobs: createJobStore(database),
    pages: createPageStore(database),
    repeatedTexts: createRepeatedTextStore(database),
    profiles: createProfileStore(database),
    results: createResultStore(database),
    changes: createChangeStore(database),
    fingerprints: createFingerprintStore(database),
    robots: createRobotsStore(database),
    screenshots: createScreenshotStore(database),
    snapshots: createSnapshotStore(database),
    files: createFileStore(database),
    traces: createTraceStore(database),
    health: createHealthStore(database),
    leases: createLeaseStore(database),
    instances: createInstanceStore(database),
    schedules: createScheduleStore(database),
    scheduleRuns: createScheduleRunStore(database),
    deliveries: createDeliveryStore(database),
    webhookSecrets: createWebhookSecretStore(database),
    secrets: createSecretStore(database),
    sessions: createSessionStore(database),
    usage: createUsageStore({ database, accounts, charged }),
  };
}
