import type { RuleValue } from './notify.ts';

/** A message of a rule about a run, on its way from the job-orchestrator to the webhook-notifier. */
export interface ChannelMessage {
  /** Name of the rule, and the channels that are told. */
  readonly rule: string;
  readonly to: readonly string[];
  /** One line. */
  readonly title: string;
  /** A line for each record. */
  readonly text: string;
  readonly records: readonly MessageRecord[];
  /** Number of further records that are not named. */
  readonly more?: number;
}

/** A record that a message tells of. */
export interface MessageRecord {
  /** Text that it is matched by; of a page, its URL. */
  readonly record: string;
  readonly url: string;
  readonly isRemoved?: true;
  readonly values: readonly {
    readonly field: string;
    readonly before?: RuleValue;
    readonly after?: RuleValue;
  }[];
}
