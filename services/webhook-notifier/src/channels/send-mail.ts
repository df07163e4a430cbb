import { linesOf, type MessageText } from './templates.ts';

/** The operator's mail server, and the sender of its emails. */
export interface MailSettings {
  readonly smtpUrl: string;
  readonly from: string;
}

/** One email. */
export interface Mail extends MessageText {
  readonly to: readonly string[];
  /** Identifies the message over all attempts, so that a reader shows it once. */
  readonly id: string;
}

/** Outcome of handing an email to the server, with what it answered. */
export interface MailResult {
  /** Reply of the server, if it gave one. */
  readonly replyCode?: number;
  readonly error?: string;
}

const MAX_ERROR_CHARACTERS = 500;

/** Hands an email to the mail server, over a connection of its own, within the time. */
export async function sendMail(
  { to, id, title, ...message }: Mail,
  { smtpUrl, from }: MailSettings,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<MailResult> {
  // Loaded here, for services that send emails.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const overall = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const close = () => transport.close();
  overall.addEventListener('abort', close, { once: true });
  try {
    const ended = new Promise<never>((_resolve, reject) => {
      overall.addEventListener('abort', () => reject(overall.reason), { once: true });
    });
    const sending = transport.sendMail({
      from,
      to: [...to],
      subject: title,
      text: linesOf(message),
      messageId: `<${id}@gleaner>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    await Promise.race([sending, ended]);
    return { replyCode: ACCEPTED };
  } catch (error) {
    if (signal.aborted) throw error;
    return explain(error);
  } finally {
    overall.removeEventListener('abort', close);
    transport.close();
  }
}

/** SMTP's reply to a message that is accepted (RFC 5321, section 4.2.3). */
const ACCEPTED = 250;

/** Returns the reply of an error, and what to say about it. */
function explain(thrown: unknown): MailResult {
  const { responseCode, response, message } = thrown as {
    responseCode?: number;
    response?: string;
    message?: string;
  };
  if (responseCode === undefined) {
    const isLate = thrown instanceof Error && thrown.name === 'TimeoutError';
    const reason = isLate ? 'The time ran out.' : oneLine(message ?? '');
    return { error: `The mail server was not reached: ${reason}` };
  }
  const error = `The mail server answered ${oneLine(response ?? String(responseCode))}`;
  return { replyCode: responseCode, error };
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, MAX_ERROR_CHARACTERS);
}
