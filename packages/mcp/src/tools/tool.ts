import type { Gleaner } from '@gleaner/client';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Answer } from '../answer/render-answer.ts';

/** The part of JSON Schema that tools use. */
export interface Schema {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

/** Everything that a call works with. */
export interface CallContext {
  readonly gleaner: Gleaner;
  /** Aborts when the agent cancels the call. */
  readonly signal: AbortSignal;
}

/** Arguments after they were checked against the schema. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Scope that a key needs for a tool. */
export type ToolScope = 'scrape' | 'jobs' | 'schedules';

/** A tool as agents see it, and what it does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: ToolScope;
  readonly annotations: ToolAnnotations;
  readonly input: Schema;
  readonly output: Schema;
  call(args: Arguments, context: CallContext): Promise<Answer>;
}
