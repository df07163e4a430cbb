import type { Backend } from './stack/links.ts';
import type { WireEvent } from './wire/wire-event.ts';
import type { Trap } from './wire/wire-proxy.ts';

/** A line of the protocol at which a process dies. */
export interface KillPoint {
  /** Whose way to which backend is watched. */
  readonly service: string;
  readonly link: Backend;
  readonly event: WireEvent;
  readonly timing: Trap['timing'];
  /** Whether a job brings its processes there again and again, so that it need not be the first time. */
  readonly isFrequent: boolean;
  /** Who dies: the watched process, unless it is a backend. */
  readonly victim?: Backend;
}

const ORCHESTRATOR = 'job-orchestrator';

/** Every exact point, by what has happened and what has not; whoever dies there has done the one and not the other. */
export const KILL_POINTS: Readonly<Record<string, KillPoint>> = {
  'a draft is stored, its pages are not': before(ORCHESTRATOR, 'database', 'insert', 'pages'),
  'pages are stored, the job is a draft': answered(ORCHESTRATOR, 'database', 'insert', 'pages'),
  'a job is stored, nothing is published': before(ORCHESTRATOR, 'broker', 'publish', 'amq.rabbitmq.reply-to'),
  'pages are claimed, not published': before(ORCHESTRATOR, 'broker', 'publish', 'pages.http'),
  'pages are published, not confirmed': answered(ORCHESTRATOR, 'broker', 'confirm', 'pages.http'),
  'results are stored, pages have not ended': answered(ORCHESTRATOR, 'database', 'insert', 'results'),
  'pages have ended, nothing is charged': before(ORCHESTRATOR, 'database', 'insert', 'charges'),
  'pages are charged, not counted': answered(ORCHESTRATOR, 'database', 'insert', 'charges'),
  'all is written, nothing is acknowledged': before(ORCHESTRATOR, 'broker', 'ack', 'pages.results'),
  'a job has ended, nobody is told': before(ORCHESTRATOR, 'broker', 'publish', 'job.'),
  'an event is published, not confirmed': answered(ORCHESTRATOR, 'broker', 'confirm', 'job.'),
  'a page is scraped, nothing is published': before('scraper', 'broker', 'publish', 'pages.results'),
  'an outcome is published, not confirmed': answered('scraper', 'broker', 'confirm', 'pages.results'),
  'an outcome is confirmed, its page is not acknowledged': before('scraper', 'broker', 'ack', 'pages.http'),
  'a job is commanded, its caller knows nothing': answered('gateway', 'broker', 'confirm', 'jobs.commands'),
  'a webhook is sent, the try is not logged': before('webhook-notifier', 'database', 'update', 'deliveries'),
  'the database answers a write and dies': after('database', 'update', 'pages'),
  'the database takes a write and dies': instead('database', 'update', 'pages'),
  'the broker confirms a message and dies': after('broker', 'confirm', 'pages.http'),
  'the broker takes a message and dies': instead('broker', 'confirm', 'pages.http'),
};

/** Whether the event is the one that the point waits for; subjects are compared from their beginning. */
export function isAt({ event }: KillPoint, { from, name, subject }: WireEvent): boolean {
  return from === event.from && name === event.name && subject.startsWith(event.subject);
}

/** The process dies before what it sends has left it. */
function before(service: string, link: Backend, name: string, subject: string): KillPoint {
  return {
    service,
    link,
    event: { from: 'client', name, subject },
    timing: 'instead',
    isFrequent: isFrequent(subject),
  };
}

/** The process dies when it has been done, and before it hears so. */
function answered(service: string, link: Backend, name: string, subject: string): KillPoint {
  return { ...before(service, link, name, subject), event: { from: 'server', name, subject } };
}

/** The backend dies when its answer has gone out. */
function after(victim: Backend, name: string, subject: string): KillPoint {
  return { ...answered(ORCHESTRATOR, victim, name, subject), victim, timing: 'after' };
}

/** The backend dies with its answer. */
function instead(victim: Backend, name: string, subject: string): KillPoint {
  return { ...answered(ORCHESTRATOR, victim, name, subject), victim };
}

function isFrequent(subject: string): boolean {
  return ['pages.http', 'pages.results', 'results', 'charges'].includes(subject);
}
