import { say } from '#language/program/say.ts';

/** Milliseconds for which a message may stop in its middle: its writer counts wrongly or is gone. */
const PATIENCE = 10_000;
/** Bytes. */
const LONGEST_HEADER = 4096;
const LONGEST_MESSAGE = 512 * 1024 * 1024;
const HEADER_END = '\r\n\r\n';
const LENGTH = /^Content-Length:[ \t]*(\d{1,9})[ \t]*$/iu;
const OTHER_HEADER = /^Content-Type:[^\r\n]*$/iu;
/** The header of a message, which cannot stand inside one: JSON has no line ends in its strings. */
const NEXT = /Content-Length:[ \t]*\d{1,9}\r\n/iu;
const NEXT_LENGTH = 40;

/**
 * Watches the bytes of a client for lengths that are not those of its messages. After one, nothing that follows can be understood, so
 * `broken` is called once, with a reason in words.
 */
export function watchFraming(input: NodeJS.ReadableStream, broken: (reason: string) => void): void {
    let header = '';
    /** Bytes of the message that are to come; undefined in a header. */
    let left: number | undefined;
    /** The end of what came of the message. */
    let tail = '';
    let isBroken = false;
    let looks = 0;

    const fail = (reason: string): void => {
        if (isBroken) return;
        isBroken = true;
        clearInterval(timer);
        broken(reason);
    };
    const timer = setInterval(() => {
        if (left === undefined && header === '') looks = 0;
        // The second look in a row: after a sleep of the machine bytes that wait are read between the two.
        else if (++looks > 1) fail(say`the client stopped in the middle of a message, or its Content-Length is too large`);
    }, PATIENCE / 2);
    timer.unref();

    const readHeader = (bytes: Buffer): Buffer => {
        const before = header.length;
        header += bytes.toString('latin1', 0, LONGEST_HEADER + 1);
        const end = header.indexOf(HEADER_END);
        if (end < 0) {
            if (header.length > LONGEST_HEADER) fail(say`what comes is no header of a message`);
            return Buffer.alloc(0);
        }
        const lines = header.slice(0, end).split('\r\n');
        const lengths = lines.flatMap(line => LENGTH.exec(line)?.[1] ?? []);
        header = '';
        if (lengths.length !== 1 || lines.some(line => !LENGTH.test(line) && !OTHER_HEADER.test(line)))
            fail(say`the header of a message has no Content-Length, or the one before it was too small`);
        else if (Number(lengths[0]) > LONGEST_MESSAGE) fail(say`a message of ${lengths[0]} bytes is too large`);
        left = Number(lengths[0]) || undefined;
        return bytes.subarray(end + HEADER_END.length - before);
    };
    const readBody = (bytes: Buffer, length: number): Buffer => {
        const own = bytes.subarray(0, length);
        const text = tail + own.toString('latin1');
        if (NEXT.test(text)) fail(say`the Content-Length of a message is too large: another one begins in it`);
        left = length === own.length ? undefined : length - own.length;
        tail = left === undefined ? '' : text.slice(-NEXT_LENGTH);
        return bytes.subarray(own.length);
    };

    input.on('data', (chunk: Buffer | string) => {
        looks = 0;
        let bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        while (bytes.length > 0 && !isBroken) bytes = left === undefined ? readHeader(bytes) : readBody(bytes, left);
    });
    input.on('end', () => {
        if (left !== undefined || header !== '') fail(say`the client ended in the middle of a message`);
        clearInterval(timer);
    });
}
