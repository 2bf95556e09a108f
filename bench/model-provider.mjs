// A provider of models that answers every question at once, in the wire format of OpenAI. Each piece of its answer says when it was sent.
import { createServer } from 'node:http';

const PIECES = 20;

const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = more =>
        response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', ...more })}\n\n`);
    for (let i = 0; i < PIECES; i++)
        send({ choices: [{ index: 0, delta: { content: `${process.hrtime.bigint()} ` }, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    response.end('data: [DONE]\n\n');
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
