import type { KeptPage, PlainPage, RenderedPage, SitePage } from './page.ts';
import type { Stage } from './stage.ts';
import { classify } from './stages/classify.ts';
import {
  keepValidators,
  openCrawl,
  planFindings,
  refuseNoPage,
  refuseOtherEnd,
  returnFindings,
  sendConditions,
} from './stages/crawl.ts';
import {
  allowWithoutRobots,
  type CrawlFile,
  fetchFile,
  readFile,
  refuseAway,
  requireFileSuccess,
} from './stages/crawl-file.ts';
import { explainPartOfFile, holdFile, keepFile, keepHeldFile, openDownload } from './stages/download.ts';
import { extractByModel, wantsModel } from './stages/extract.ts';
import { fetchPage, visitPlainly } from './stages/fetch.ts';
import { isReused, requireReusable, returnAge, unpackKept } from './stages/kept.ts';
import { sendMethod } from './stages/method.ts';
import { planValues, read, readKept, returnValues } from './stages/read.ts';
import { keepReusable, mayBeReused, packReusable } from './stages/reuse.ts';
import { leaveSession, openSession, requireSignedIn, sendSession } from './stages/session.ts';
import { keepSnapshot, packSnapshot, wantsSnapshot } from './stages/snapshot.ts';
import { judge, requireContent, requireFields, returnThinHash } from './stages/verdict.ts';
import { act, followActions, mayAct, returnActions } from './visit/actions.ts';
import { disguise, expectsWall, isDisguised, passCheck, readCookies } from './visit/anti-bot.ts';
import { captures, readCaptured, startCapture, takeCaptured, waitForResponses } from './visit/capture.ts';
import { inlineFrames, readFrames, wantsFrames, warnOfFrames } from './visit/frames.ts';
import { findHidden, readsWords } from './visit/hidden-text.ts';
import { load, sendHeaders, setCookies, setWindow } from './visit/open.ts';
import { dismissOverlays, findLayer, followDismissal, mayDismiss, returnOverlays } from './visit/overlays.ts';
import { returnScreenshot, takeScreenshot, wantsScreenshot } from './visit/screenshot.ts';
import { hasSecrets, openSecrets, redactValues, redactVisited } from './visit/secrets.ts';
import { bringSession, hasSession, readSession } from './visit/session.ts';
import {
  acceptDocument,
  explainByStatus,
  hasCondition,
  isUnsettled,
  settle,
  waitFor,
} from './visit/settle.ts';
import { classifySource, takeSource, warnOfCut } from './visit/source.ts';
import { checkUrl, takeVisited, visit, visitLikewise } from './visit/visit.ts';
import type { VisitStages } from './visit/visit-page.ts';

/** Stages of every page that a site has answered with, in either engine. */
const READ: readonly Stage<SitePage>[] = [
  { stage: 'queue', when: wantsSnapshot, run: packSnapshot },
  { stage: 'queue', when: mayBeReused, run: packReusable },
  { stage: 'queue', run: read },
  { when: hasSecrets, run: redactValues },
  requireSignedIn,
  refuseOtherEnd,
  leaveSession,
  keepHeldFile,
  { stage: 'calibrate', run: judge },
  requireContent,
  { stage: 'model', when: wantsModel, run: extractByModel },
  returnValues,
  returnFindings,
  returnThinHash,
  { when: wantsSnapshot, run: keepSnapshot },
  keepReusable,
];

/** Stages of a page that is fetched without a browser. */
export const PLAIN: readonly Stage<PlainPage>[] = [
  openSession,
  sendSession,
  sendMethod,
  openDownload,
  openCrawl,
  sendConditions,
  planValues,
  { run: fetchPage, explain: explainPartOfFile },
  refuseNoPage,
  keepValidators,
  keepFile,
  classify,
  planFindings,
  holdFile,
  visitPlainly,
  ...READ,
];

/** Stages inside the browser. */
export const VISIT: VisitStages = {
  open: [
    { stage: 'prepare', when: isDisguised, run: disguise },
    { stage: 'prepare', run: setWindow },
    { stage: 'prepare', run: setCookies },
    { stage: 'prepare', run: sendHeaders },
    { stage: 'prepare', when: captures, run: startCapture },
    { stage: 'load', run: load },
  ],
  document: [
    { stage: 'settle', run: settle },
    acceptDocument,
    { stage: 'check', when: expectsWall, run: passCheck },
    { stage: 'overlays', when: mayDismiss, run: dismissOverlays },
    { stage: 'settle', when: isUnsettled, run: settle },
    followDismissal,
    { stage: 'actions', when: mayAct, run: act },
    { stage: 'settle', when: isUnsettled, run: settle },
    { stage: 'waitFor', when: hasCondition, run: waitFor, explain: explainByStatus },
    { stage: 'waitFor', when: captures, run: waitForResponses, explain: explainByStatus },
  ],
  read: [
    { stage: 'snapshot', when: wantsFrames, run: readFrames },
    { stage: 'snapshot', run: findLayer },
    { stage: 'snapshot', when: readsWords, run: findHidden },
    { stage: 'snapshot', run: takeSource },
    classifySource,
    inlineFrames,
    { stage: 'snapshot', when: expectsWall, run: readCookies },
    { stage: 'snapshot', when: hasSession, run: readSession },
    { stage: 'snapshot', when: captures, run: takeCaptured },
    { stage: 'screenshot', when: wantsScreenshot, run: takeScreenshot },
  ],
};

/** Stages of a page that is rendered. */
export const RENDERED: readonly Stage<RenderedPage>[] = [
  openSession,
  bringSession,
  checkUrl,
  openCrawl,
  planValues,
  openSecrets,
  followActions,
  { stage: 'browser', run: visit(VISIT) },
  { when: hasSecrets, run: redactVisited },
  takeVisited,
  warnOfCut,
  warnOfFrames,
  returnActions,
  returnOverlays,
  readCaptured,
  returnScreenshot,
  planFindings,
  visitLikewise(VISIT),
  ...READ,
];

/** Stages of a page whose values come from a snapshot, or from the page of an earlier request. */
export const KEPT: readonly Stage<KeptPage>[] = [
  unpackKept,
  planValues,
  { stage: 'queue', when: wantsSnapshot, run: packSnapshot },
  { stage: 'queue', run: readKept },
  { when: isReused, run: requireReusable },
  requireFields,
  returnValues,
  { when: wantsSnapshot, run: keepSnapshot },
  { when: isReused, run: returnAge },
];

/** Stages of a robots.txt or a sitemap. */
export const CRAWL_FILE: readonly Stage<CrawlFile>[] = [
  fetchFile,
  refuseAway,
  allowWithoutRobots,
  requireFileSuccess,
  readFile,
];
