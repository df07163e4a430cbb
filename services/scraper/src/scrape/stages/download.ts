import { CLASSIFIED_BYTES, requireAnswer } from '../../classify/classify-response.ts';
import { decodeBody, sniffEncoding } from '../../decode/sniff-encoding.ts';
import { type FileIntake, findingsOfFile, openIntake } from '../../download/file-intake.ts';
import type { FileUpload } from '../../download/file-upload.ts';
import type { Page, PlainPage } from '../page.ts';
import { refuseOtherEnd } from './crawl.ts';
import { leaveSession, requireSignedIn } from './session.ts';
import { AS_ASKED } from './verdict.ts';

/** Takes the body of the response as a file, if it is to be downloaded. */
export function openDownload(page: PlainPage): void {
  const { request, task, deps, outgoing } = page;
  // Only of a page that was read it is known whether its session is over.
  const reads = task.crawl ? 'documents' : page.profile ? 'html' : 'nothing';
  const { requestId: pageId, attempt } = task;
  const pageAttempt = attempt === undefined ? undefined : { pageId, attempt };
  const intake = openIntake(request, { ...page.reading, reads, pageAttempt }, deps.downloads);
  if (!intake) return;
  page.intake = page.held.use(intake);
  outgoing.chooseSink = intake.chooseSink;
  // Only bodies that are sent as they are need not be held to be decoded.
  if (!task.crawl && deps.rung === 'plain') outgoing.headers['Accept-Encoding'] = 'identity';
}

/** Adds to a TIMEOUT how much of the file had arrived. */
export function explainPartOfFile(error: unknown, { intake }: Page): unknown {
  return intake ? intake.explain(error) : error;
}

/** Keeps the file of a response, and with it ends the page. */
export async function keepFile(page: PlainPage): Promise<'done' | undefined> {
  const { intake, response, task } = page;
  if (!intake?.upload) return undefined;
  const { body, headers } = response;
  const encoding = sniffEncoding(body, headers['content-type']);
  requireAnswer({ ...response, html: decodeBody(body.subarray(0, CLASSIFIED_BYTES), encoding) });
  requireSignedIn(page, { verdict: AS_ASKED });
  refuseOtherEnd(page);
  task.onFetched?.();
  leaveSession(page);
  return await keep(page, intake, intake.upload);
}

/** Holds the body until the page is read: only reading shows whether its session is over. */
export function holdFile(page: PlainPage): void {
  if (page.intake && !page.task.crawl) page.heldFile = Buffer.from(page.document.body);
}

/** Keeps a body as a file after it was read, and with it ends the page. */
export async function keepHeldFile(page: Page): Promise<'done' | undefined> {
  const { intake, heldFile } = page;
  if (!intake || !heldFile) return undefined;
  const upload = await intake.open();
  await upload.write(heldFile);
  return await keep(page, intake, upload);
}

async function keep(page: Page, intake: FileIntake, upload: FileUpload): Promise<'done'> {
  const { task, found, source } = page;
  found.file = await intake.finish(upload, source);
  if (!task.crawl) return 'done';
  found.verdict = AS_ASKED;
  found.crawl = { ...findingsOfFile(found.file), ...page.validators };
  return 'done';
}
