import { AppError } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { FileResponse } from '../../responses/responses.ts';
import type { Handler } from '../handler.ts';

/** Collaborators of the handler. */
export type FileDeps = Pick<Stores, 'clock' | 'files'>;

/**
 * Handles `GET /v1/files/{id}`. A file may be a hostile page: browsers save it, and where one shows it all the
 * same, it has an origin of its own without scripts.
 */
export const fileHandler: Handler<'getFile', FileDeps> = async ({ caller, params }, { clock, files }) => {
  const { id = '' } = params;
  const file = await files.findFile(id, caller.account.id, clock.now());
  if (!file) throw new AppError('FILE_NOT_FOUND', { message: `There is no file "${id.slice(0, 100)}".` });
  const { name, contentType, size, sha256, open } = file;
  return new FileResponse({
    contentType,
    bytes: size,
    version: sha256,
    open,
    headers: {
      'Content-Disposition': attachment(name),
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  });
};

/** Returns a Content-Disposition with a name in any script (RFC 6266, section 5). */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
