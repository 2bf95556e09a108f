// Stands between an editor and the language server, and writes down what both say: the editor starts this file in place of `rulelang`.
// A line of JSON for every message, `{"from": "client", "message": …}`, in the file that RECORD_TO names; the folder RECORD_IN is `$FOLDER` there.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { RECORD_TO: file, RECORD_IN: folder } = process.env;
const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const server = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: ['pipe', 'pipe', 'inherit'] });

function record(from, stream, to) {
    let received = Buffer.alloc(0);
    stream.on('data', chunk => {
        to.write(chunk);
        received = Buffer.concat([received, chunk]);
        for (;;) {
            const end = received.indexOf('\r\n\r\n');
            const length = end < 0 ? Number.NaN : Number(/Content-Length: (\d+)/iu.exec(received.toString('latin1', 0, end))?.[1]);
            if (!(received.length >= end + 4 + length)) return;
            const message = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
            appendFileSync(file, `${JSON.stringify({ from, message }).replaceAll(folder, '$FOLDER')}\n`);
            received = received.subarray(end + 4 + length);
        }
    });
    stream.on('end', () => to.end());
}

record('client', process.stdin, server.stdin);
record('server', server.stdout, process.stdout);
server.on('exit', code => process.exit(code ?? 1));
