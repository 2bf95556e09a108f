/** A request of the language server. */
export const BODY = JSON.stringify({ jsonrpc: '2.0', id: 7000, method: 'textDocument/hover', params: {} });
export const framed = (length: number | string, body = BODY): string => `Content-Length: ${length}\r\n\r\n${body}`;

/** Bytes whose lengths are not those of their messages. */
export const WRONG_FRAMES = {
    'too large, and another message': framed(BODY.length + 20) + framed(BODY.length),
    'much too large, and another message': framed(100_000) + framed(BODY.length),
    'too small': framed(BODY.length - 9),
    'too small, and another message': framed(BODY.length - 1) + framed(BODY.length),
    zero: framed(0),
    negative: framed(-BODY.length),
    'no number': framed('x'),
    'half a number': framed(`${BODY.length}x`),
    'two numbers': `Content-Length: 5\r\n${framed(BODY.length)}`,
    'larger than any message': framed('999999999999'),
    none: `\r\n\r\n${BODY}`,
    'another header alone': `Content-Type: x\r\n\r\n${BODY}`,
    'no header at all': `${BODY}\n`.repeat(100),
    'too large, and nothing more': framed(BODY.length + 20),
};
