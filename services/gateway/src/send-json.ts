import type { ServerResponse } from 'node:http';
import { JsonText } from './routes/json-text.ts';

/** Ends an answer with a JSON body; headers that were set before go with it. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
