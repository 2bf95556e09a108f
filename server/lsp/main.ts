import { type Connection, createConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-languageserver/node';
import { serve } from './serve.ts';

// The language server: over standard input and output, or over the channel of the process that started it.
serve(connect(process.argv));

function connect(args: readonly string[]): Connection {
    if (args.includes('--node-ipc')) return createConnection(new IPCMessageReader(process), new IPCMessageWriter(process));
    return createConnection(process.stdin, process.stdout);
}
