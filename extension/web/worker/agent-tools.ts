import type { Feature } from '#server/lsp/language-server.ts';

/** An editor in a browser has no tools for language models: most of them look at a file system, or run processes. */
export const agentTools: Feature = { capabilities: () => ({}), register: () => undefined };
