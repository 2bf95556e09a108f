/**
 * What is used of the library for language clients. It is larger than all that the extension needs at first, so that it is built into a file of
 * its own, which is loaded once the extension is there.
 */
export { LanguageClient, RevealOutputChannelOn, State, TransportKind } from 'vscode-languageclient/node';
