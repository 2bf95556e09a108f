/** What `bench/extension.mjs` needs of a window and of what is shown in it. */
export { JsonText } from '#server/protocol/json-text.ts';
export { startVsCode, unpackedExtension } from './harness.ts';
export { clientOf, servicesIn } from './platform-window.ts';
export { journalOf, keepSources, largeProgram, largeProject, writeRuns } from './scale.ts';
