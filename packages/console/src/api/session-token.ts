/** Name of the token in `sessionStorage`, and of the channel between the tabs of the console. */
const NAME = 'gleaner-session';
/**
 * Time to wait for an answer from another tab: from one known to have a session, or from any where tabs
 * cannot know; a frozen one does not answer.
 */
const ANSWERED_WITHIN_MS = { known: 3000, unknown: 250 };

/** Message between tabs of one origin. */
type Message =
  | { readonly type: 'ask' }
  | { readonly type: 'answer'; readonly token: string }
  | { readonly type: 'change'; readonly token: string | null };

const channel = new BroadcastChannel(NAME);
let token: string | null = readStorage();
let onAnswer: ((token: string) => void) | undefined;
let onChange: (() => void) | undefined;
/** Releases the lock that tells other tabs of the session in this one. */
let unlock: (() => void) | undefined;
if (token !== null) lock();

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.type === 'ask' && token !== null) send({ type: 'answer', token });
  if (data.type === 'answer') onAnswer?.(data.token);
  if (data.type !== 'change') return;
  keep(data.token);
  onChange?.();
};

/**
 * Returns the token of the session. It is kept for the tab and sent as a header: unlike a cookie, no other port of this host
 * ever sees it, and no other origin can read it.
 */
export function currentToken(): string | null {
  return token;
}

/** Returns the token of this tab, or that of another tab of the console, such as the one from which this one was opened. */
export async function findToken(): Promise<string | null> {
  if (token !== null) return token;
  const othersHaveOne = await isLocked();
  if (othersHaveOne === false) return null;
  const answer = await new Promise<string | null>((resolve) => {
    onAnswer = resolve;
    setTimeout(() => resolve(null), ANSWERED_WITHIN_MS[othersHaveOne ? 'known' : 'unknown']);
    send({ type: 'ask' });
  });
  onAnswer = undefined;
  if (answer !== null) keep(answer);
  return answer;
}

/** Changes the token of all tabs; null signs out. */
export function changeToken(next: string | null): void {
  keep(next);
  send({ type: 'change', token: next });
}

/** Calls a function when another tab has signed in or out. */
export function onTokenChange(listener: () => void): void {
  onChange = listener;
}

function send(message: Message): void {
  channel.postMessage(message);
}

/** Returns whether a tab of the console has a session; undefined outside of secure contexts, which have no locks. */
async function isLocked(): Promise<boolean | undefined> {
  const locks = await navigator.locks?.query();
  return locks?.held?.some(({ name }) => name === NAME);
}

/** Lets other tabs see, until this one is closed or signed out, that it has a session. */
function lock(): void {
  if (unlock) return;
  const until = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  navigator.locks?.request(NAME, { mode: 'shared' }, () => until).catch(() => {});
}

function keep(next: string | null): void {
  token = next;
  if (next !== null) lock();
  else {
    unlock?.();
    unlock = undefined;
  }
  try {
    if (next === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, next);
  } catch {
    // A browser that stores nothing keeps the session until the page is loaded again.
  }
}

function readStorage(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}
