import type { Gleaner } from '@gleaner/client';
import type { Command } from 'commander';
import type { Format, Output, OutputOptions } from './output/output.ts';
import type { Sink } from './output/sink.ts';
import type { ServiceOptions, Settings } from './settings/resolve-settings.ts';
import type { Terminal } from './terminal.ts';

/** Options that every command takes. */
export interface GlobalOptions extends OutputOptions, ServiceOptions {
  readonly quiet?: boolean;
  /** False with `--no-input`. */
  readonly input?: boolean;
}

/** The service for a command, and the output for its result. */
export interface Opened {
  readonly gleaner: Gleaner;
  readonly output: Output;
  /** Options of every call: Ctrl-C aborts it. */
  readonly call: { readonly signal: AbortSignal };
}

/** Adds arguments, options and the action to a command. */
export type Define = (command: Command, cli: Cli) => void;

/** Words of the command line that select the commands to load; undefined loads all of them. */
export type Words = readonly string[] | undefined;

/** Everything that a command works with. */
export interface Cli {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders to search for a stack, including the folders above them. */
  readonly folders: readonly string[];
  readonly version: string;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Sets how the command ends if nothing fails. */
  exit: number;
  /** Text to show when the command ends before its work: how to come back. */
  comeBack: string | undefined;
  /** Returns address and key, and where each was found. */
  settings(options: GlobalOptions): Promise<Settings>;
  /** Returns the address, with or without a key for it. */
  address(options: GlobalOptions): Promise<string>;
  /** Returns a client for these settings. */
  connect(options: GlobalOptions): Promise<Gleaner>;
  /** Returns a client for these settings, and the output that the options choose. */
  open(options: GlobalOptions): Promise<Opened>;
  /** Opens a file that is there when the command has done its work. */
  file(path: string): Sink;
  /** Returns the chosen output; commands with more forms than others name them. */
  output(options: GlobalOptions, formats?: readonly Format[]): Output;
  /** Builds the commands that the words select. */
  program(words: Words): Promise<Command>;
}
