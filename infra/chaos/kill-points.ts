import type { Backend } from './stack/links.ts';
import type { Trap, WireEvent } from './wire/wire-proxy.ts';

/** A step of the protocol at which a process is killed. */
export interface KillPoint {
  /** The service whose connection to a backend is watched. */
  readonly service: string;
  readonly link: Backend;
  readonly event: WireEvent;
  readonly timing: Trap['timing'];
  /** True for a repeated step: the kill need not be at its first occurrence. */
  readonly isFrequent: boolean;
  /** The victim: the watched process unless a backend is named. */
  readonly victim?: Backend;
}

const ORCHESTRATOR = 'job-orchestrator';

/** Every exact kill point, named by the last step that is done and the first that is not. */
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
  'a job has finished, its event is not published': before(ORCHESTRATOR, 'broker', 'publish', 'job.'),
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

/** Every exact kill point of a login. */
export const LOGIN_KILL_POINTS: Readonly<Record<string, KillPoint>> = {
  'a login is taken, no scraper is asked': before(ORCHESTRATOR, 'broker', 'publish', 'scrape.browser'),
  'a scraper is asked to sign in, not confirmed': answered(
    ORCHESTRATOR,
    'broker',
    'confirm',
    'scrape.browser',
  ),
  'a scraper has signed in, nothing is answered': before(
    'scraper',
    'broker',
    'publish',
    'amq.rabbitmq.reply-to',
  ),
  'a session is about to be written': before(ORCHESTRATOR, 'database', 'update', 'profiles'),
  'a session is written': answered(ORCHESTRATOR, 'database', 'update', 'profiles'),
  'a login is stored, not charged': before(ORCHESTRATOR, 'database', 'insert', 'charges'),
};

/** Returns true when the event is the one of the point; subjects are compared by their beginning. */
export function isAt({ event }: KillPoint, { from, name, subject }: WireEvent): boolean {
  return from === event.from && name === event.name && subject.startsWith(event.subject);
}

/** The process dies before its message has left it. */
function before(service: string, link: Backend, name: string, subject: string): KillPoint {
  return {
    service,
    link,
    event: { from: 'client', name, subject },
    timing: 'instead',
    isFrequent: isFrequent(subject),
  };
}

/** The process dies after the step is done and before it receives the confirmation. */
function answered(service: string, link: Backend, name: string, subject: string): KillPoint {
  return { ...before(service, link, name, subject), event: { from: 'server', name, subject } };
}

/** The backend dies after its reply was sent. */
function after(victim: Backend, name: string, subject: string): KillPoint {
  return { ...answered(ORCHESTRATOR, victim, name, subject), victim, timing: 'after' };
}

/** The backend dies before its reply is sent. */
function instead(victim: Backend, name: string, subject: string): KillPoint {
  return { ...answered(ORCHESTRATOR, victim, name, subject), victim };
}

function isFrequent(subject: string): boolean {
  return ['pages.http', 'pages.results', 'results', 'charges', 'profiles'].includes(subject);
}
