import { type Connection, type ConnectionOptions, createConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { watchFraming } from './framing.ts';
import { serve } from './serve.ts';

/** Parameters that are null are none: the library looks into those that it is given. */
const STRATEGY: ConnectionOptions = {
    messageStrategy: {
        handleMessage: (message, next) =>
            next('params' in message && message.params === null ? Object.assign({}, message, { params: undefined }) : message),
    },
};

// The language server: over standard input and output, or over the channel of the process that started it.
serve(connect(process.argv));

function connect(args: readonly string[]): Connection {
    if (args.includes('--node-ipc')) return createConnection(new IPCMessageReader(process), new IPCMessageWriter(process), STRATEGY);
    watchFraming(process.stdin, reason => {
        process.stderr.write(say`rulelang: ${reason}. The language server ends; start it again\n`);
        process.exit(1);
    });
    return createConnection(process.stdin, process.stdout, STRATEGY);
}
