import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { rawRequest, type Services, startServices, statusOf } from '../api/services.ts';

let services: Services;
const { post } = callsTo(() => services);
beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());

describe('headers behind two thousand others', () => {
    const many = 'a:\r\n'.repeat(2100);
    const body = `program=${encodeURIComponent('p(1). @output("p").')}`;
    const request = (hidden: string): string =>
        `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n${many}${hidden}Connection: close\r\n\r\n${body}`;
    test.each([
        ['an origin', 'Origin: http://evil.example\r\n', 403],
        ['the site of a page', 'Sec-Fetch-Site: cross-site\r\n', 403],
        ['another host', 'Host: evil.example\r\n', 403],
        ['nothing', '', 200],
    ])('%s is seen', async (_, hidden, status) => {
        expect(statusOf(await rawRequest(services.engine, request(hidden)))).toBe(status);
    });
    test('more than the headers may have is refused', async () => {
        expect([400, 431]).toContain(statusOf(await rawRequest(services.engine, request('b:\r\n'.repeat(20_000)))));
    });
});

describe('entities that a document declares', () => {
    const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/"';
    const document = (doctype: string, text: string): string =>
        `<?xml version="1.0"?><!DOCTYPE rdf:RDF [${doctype}]><rdf:RDF ${RDF}><e:A><e:p>${text}</e:p></e:A></rdf:RDF>`;
    const LOL = '<!ENTITY a0 "lol">'.concat(...Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`));
    const read = (text: string) => post('/rulelingo/p/translate/rdf-to-rulelang', { rdf_data: text });

    test.each([
        ['text', '<!ENTITY a "b">', '&a;'],
        ['ones of others', LOL, '&a12;'],
        ['a file', '<!ENTITY a SYSTEM "file:///etc/passwd">', '&a;'],
        ['parameters', '<!ENTITY % p "<!ENTITY a \'b\'>">%p;', '&a;'],
        ['large ones', `<!ENTITY a "${'x'.repeat(20_000)}">`, '&a;'.repeat(1000)],
    ])('%s are not put in place', async (_, doctype, text) => {
        await post('/projects/save', { project: { id: 'p', name: 'p' } });
        const { status, body } = await read(document(doctype, text));
        expect([status, body.code]).toEqual([422, 'rdf_invalid']);
        expect(JSON.stringify(body).length).toBeLessThan(2000);
    });
    test('a document with a DTD that uses none of its own is read', async () => {
        const { status, text } = await read(document(LOL, 'kept &amp; read &#65;'));
        expect([status, text]).toEqual([200, expect.stringContaining('kept & read A')]);
    });
});
