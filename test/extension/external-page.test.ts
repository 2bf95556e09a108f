import { expect, test } from 'vitest';
import { externalPage } from '#extension/platform/external-page.ts';

const PAGE = 'http://127.0.0.1:8000/svc/#token=a.b-c_d.e';

test.each([
    ['a window of this machine', 'http://127.0.0.1:8000/', PAGE],
    ['a forwarded port', 'http://localhost:53211/', PAGE],
    ['a proxy with a path', 'http://localhost:8080/proxy/8000/', 'http://localhost:8080/proxy/8000/svc/#token=a.b-c_d.e'],
    ['a proxy with a path and no slash', 'https://code.example/p/8000', 'https://code.example/p/8000/svc/#token=a.b-c_d.e'],
    ['a proxy with a host for each port', 'https://8000.code.example/', 'https://8000.code.example/svc/#token=a.b-c_d.e'],
    ['a proxy that keeps a query', 'https://code.example/?port=8000', 'https://code.example/svc/?port=8000#token=a.b-c_d.e'],
])('the address behind %s', (_, root, expected) => expect(externalPage(PAGE, root)).toBe(expected));
