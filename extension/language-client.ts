/**
 * The used part of the library for language clients. It is larger than everything that the extension needs at first. So it has a file of
 * its own, which is loaded later.
 */
export { LanguageClient, RevealOutputChannelOn, State, TransportKind } from 'vscode-languageclient/node';
