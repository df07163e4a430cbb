/** Services in the order in which an upgrade replaces them, which docs/operations.md gives. */
export const UPGRADE_ORDER = [
  'job-orchestrator',
  'scheduler',
  'webhook-notifier',
  'scraper',
  'gateway',
] as const;
