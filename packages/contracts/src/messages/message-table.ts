import type { Static, TSchema } from 'typebox';
import { HeartbeatSchema } from '../system/instance.ts';
import { Type } from '../type.ts';
import { AnswerCommandSchema, AnswerReplySchema } from './answer-command.ts';
import { DispatchHintSchema } from './dispatch-hint.ts';
import { FileCommandSchema, FileReplySchema } from './file-command.ts';
import {
  CreateRunsCommandSchema,
  CreateRunsReplySchema,
  JobCancellationSchema,
  JobCommandSchema,
  JobReplySchema,
} from './job-command.ts';
import { JobEventSchema } from './job-event.ts';
import { MapCommandSchema, MapReplySchema } from './map-command.ts';
import { PageClaimsSchema } from './page-claims.ts';
import { PageCommandSchema, PageOutcomeSchema, PageWithScreenshotSchema } from './page-message.ts';
import { ParseCommandSchema } from './parse-command.ts';
import { ScheduleCommandSchema, ScheduleReplySchema } from './schedule-command.ts';
import { ScrapeCancellationSchema, ScrapeCommandSchema, ScrapeReplySchema } from './scrape-command.ts';
import { SnapshotCommandSchema, SnapshotReplySchema } from './snapshot-command.ts';
import { DeliveryTurnSchema, WebhookCommandSchema, WebhookReplySchema } from './webhook-message.ts';

/**
 * Commands with a reply, by queue. `isPerilous` marks commands for processing untrusted content: repeated
 * crashes of workers are blamed on the message.
 */
export const REQUESTS = {
  'scrape.http': { body: ScrapeCommandSchema, reply: ScrapeReplySchema, isPerilous: true },
  'scrape.browser': { body: ScrapeCommandSchema, reply: ScrapeReplySchema, isPerilous: true },
  'maps.commands': { body: MapCommandSchema, reply: MapReplySchema, isPerilous: true },
  'snapshots.commands': {
    body: Type.Union([SnapshotCommandSchema, ParseCommandSchema]),
    reply: SnapshotReplySchema,
    isPerilous: true,
  },
  'answers.commands': { body: AnswerCommandSchema, reply: AnswerReplySchema, isPerilous: false },
  'files.commands': { body: FileCommandSchema, reply: FileReplySchema, isPerilous: false },
  'jobs.commands': { body: JobCommandSchema, reply: JobReplySchema, isPerilous: false },
  'jobs.large-commands': { body: JobCommandSchema, reply: JobReplySchema, isPerilous: false },
  'jobs.runs': { body: CreateRunsCommandSchema, reply: CreateRunsReplySchema, isPerilous: false },
  'schedules.commands': { body: ScheduleCommandSchema, reply: ScheduleReplySchema, isPerilous: false },
  'webhooks.commands': { body: WebhookCommandSchema, reply: WebhookReplySchema, isPerilous: false },
} as const satisfies Record<string, { body: TSchema; reply: TSchema; isPerilous: boolean }>;

export type RequestName = keyof typeof REQUESTS;
export type RequestBody<Name extends RequestName> = Static<(typeof REQUESTS)[Name]['body']>;
export type RequestReply<Name extends RequestName> = Static<(typeof REQUESTS)[Name]['reply']>;

/** Durable work, by the queue that keeps it. */
export const WORK = {
  'pages.http': { body: PageCommandSchema },
  'pages.browser': { body: PageCommandSchema },
  'pages.results': { body: PageOutcomeSchema },
  'pages.large-results': { body: PageOutcomeSchema },
  'pages.screenshots': { body: PageWithScreenshotSchema },
  'webhooks.events': { body: JobEventSchema },
  'webhooks.deliveries': { body: DeliveryTurnSchema },
} as const satisfies Record<string, { body: TSchema }>;

export type WorkName = keyof typeof WORK;
export type WorkBody<Name extends WorkName> = Static<(typeof WORK)[Name]['body']>;

/** Announcements to every listening process, by their exchange. */
export const BROADCASTS = {
  cancellations: { body: ScrapeCancellationSchema },
  jobCancellations: { body: JobCancellationSchema },
  dispatchHints: { body: DispatchHintSchema },
  pageClaims: { body: PageClaimsSchema },
  heartbeats: { body: HeartbeatSchema },
} as const satisfies Record<string, { body: TSchema }>;

export type BroadcastName = keyof typeof BROADCASTS;
export type BroadcastBody<Name extends BroadcastName> = Static<(typeof BROADCASTS)[Name]['body']>;
