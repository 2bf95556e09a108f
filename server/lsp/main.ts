import {
    type Connection,
    type ConnectionOptions,
    createConnection,
    IPCMessageReader,
    IPCMessageWriter,
    type MessageReader,
    StreamMessageReader,
    StreamMessageWriter,
} from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { watchFraming } from './framing.ts';
import { withNotebooks } from './notebooks/notebook-messages.ts';
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
    const usesIpc = args.includes('--node-ipc');
    const { reader, writer } = usesIpc
        ? withNotebooks(new IPCMessageReader(process), new IPCMessageWriter(process))
        : withNotebooks(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
    if (usesIpc) return createConnection(reader, writer, STRATEGY);
    watchFraming(process.stdin, reason => {
        process.stderr.write(say`rulelang: ${reason}. The language server ends; start it again\n`);
        process.exit(1);
    });
    return createConnection(endingWithInput(reader), writer, STRATEGY);
}

/** Ends the server with its input; that is a failure unless the client has shut it down. */
function endingWithInput(reader: MessageReader): MessageReader {
    let isShutDown = false;
    const end = (): never => process.exit(isShutDown ? 0 : 1);
    process.stdin.on('end', end);
    process.stdin.on('close', end);
    return {
        ...reader,
        listen: callback =>
            reader.listen(message => {
                if ('method' in message && message.method === 'shutdown') isShutDown = true;
                callback(message);
            }),
    };
}
