import { JsonText } from '../../responses/responses.ts';
import type { Handler } from '../handler.ts';
import { type MapDeps, mapSite } from './map-site.ts';

/** Handles `POST /v1/map`. */
export const mapHandler: Handler<'map', MapDeps> = async (call, deps) => {
  const { mapJson, pages } = await mapSite(call, deps);
  const duration = Math.round(performance.now() - call.startedAtMs);
  const rest = {
    metadata: { url: call.body.url, duration, credits: pages },
    requestId: call.requestId,
  };
  return new JsonText(`{"success":true,${mapJson.slice(1, -1)},${JSON.stringify(rest).slice(1)}`);
};
