export { type HttpOptions, type McpHttpServer, serveHttp } from './serve/serve-http.ts';
export { type StdioOptions, serveStdio } from './serve/serve-stdio.ts';
export type { Schema, Tool } from './tools/tool.ts';
export { TOOLS } from './tools/tool-table.ts';
