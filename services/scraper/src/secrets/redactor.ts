import { setImmediate as turn } from 'node:timers/promises';
import { REDACTED } from '@gleaner/contracts';
import { formsOf } from './secret-forms.ts';
import { type Match, SecretMatcher } from './secret-matcher.ts';

/** A kind of text, which says where names stand. */
export interface TextKind {
  /** Returns true for a match that is kept, because it is a name. Matches come in the order of the text. */
  isKept?(match: Match): boolean;
  /** Returns what replaces a match. */
  write?(match: Match): string;
  /** True for texts that may have been cut: the beginning of a secret is replaced as well. */
  readonly isCut?: boolean;
}

/** Longest part of a text that is searched before the clock is looked at. */
const PIECE = 2048;
/** Longest work before other work gets a turn. */
const TURN_MS = 10;

/** Replaces secrets in texts, in all the forms that pages and encodings write them in. */
export class Redactor {
  readonly #matcher: SecretMatcher;
  /** Texts in which a secret is not replaced. */
  readonly #kept: readonly string[];

  /** `hosts` of the page and of the secrets stay: a secret such as "shop" may be part of them. */
  constructor(values: readonly string[], hosts: readonly string[] = []) {
    this.#matcher = new SecretMatcher(formsOf(values));
    this.#kept = [...hosts, REDACTED];
  }

  /** True if there is nothing to replace. */
  get isIdle(): boolean {
    return this.#matcher.isEmpty;
  }

  /** Replaces the secrets in a short text. */
  redact(text: string, kind: TextKind = {}): string {
    const steps = this.#steps(text, kind);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  /** Replaces the secrets in a text of any length, in steps between which others get their turns. */
  async redactLong(text: string, kind: TextKind = {}): Promise<string> {
    const steps = this.#steps(text, kind);
    let sinceMs = performance.now();
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (performance.now() - sinceMs < TURN_MS) continue;
      await turn();
      sinceMs = performance.now();
    }
  }

  /** Returns true if a text has a secret. */
  has(text: string): boolean {
    return this.redact(text) !== text;
  }

  *#steps(text: string, { isKept, write, isCut = false }: TextKind): Generator<undefined, string> {
    if (this.isIdle) return text;
    const parts: string[] = [];
    let [at, copied, work] = [0, 0, 0];
    while (at < text.length) {
      const match = this.#matcher.matchAt(text, at, { isCut });
      work += 1;
      if (work % PIECE === 0) yield;
      if (!match || this.#isInKept(text, match) || isKept?.(match)) {
        at += 1;
        continue;
      }
      parts.push(text.slice(copied, Math.max(copied, match.start)), write?.(match) ?? REDACTED);
      at = match.end;
      copied = match.end;
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(copied);
  }

  /** Returns true for a match within one of the kept texts. */
  #isInKept(text: string, { start, end, form }: Match): boolean {
    return this.#kept.some((kept) => {
      if (kept.length < end - start) return false;
      const around = text.slice(Math.max(0, end - kept.length), start + kept.length);
      const offset = start - Math.max(0, end - kept.length);
      const folded = kept === REDACTED ? around : around.toLowerCase();
      for (let at = folded.indexOf(kept); at >= 0; at = folded.indexOf(kept, at + 1)) {
        if (at <= offset && at + kept.length >= offset + (end - start)) return form.alphabet === 'any';
      }
      return false;
    });
  }
}
