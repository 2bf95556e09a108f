/**
 * The used part of the library for language clients. It is larger than everything that the extension needs at first, so it has a file of
 * its own, which is loaded once the extension is active.
 */
export { LanguageClient, RevealOutputChannelOn, State, TransportKind } from 'vscode-languageclient/node';
