import type { OpenResponse } from './caller.ts';
import { readChunks, readLines } from './read-lines.ts';

/** A server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events (HTML Standard, section 9.2). Comments, which keep the connection open, are left out. */
export async function* readEvents(open: OpenResponse): AsyncGenerator<ServerEvent> {
  let event = 'message';
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of readLines(readChunks(open))) {
    if (line === '') {
      if (data.length > 0) yield { event, id, data: data.join('\n') };
      event = 'message';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
}
