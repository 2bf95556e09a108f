import { describe, expect, test } from 'vitest';
import { arrivalAt, tokenIn } from '#extension/page/arrival.ts';
import { hashOf, routeOf } from '#extension/page/route.ts';

describe('the token of the address', () => {
    const arrival = (hash: string) => arrivalAt({ hash, pathname: '/svc/' });

    test.each(['#token=a.b-c_d.e', '#token%3Da.b-c_d.e'])('is taken and erased: %s', hash =>
        expect(arrival(hash)).toEqual({ token: 'a.b-c_d.e', address: '/svc/' }),
    );
    test.each(['#token=', '#token=a b', '#x', '#token=a.b.c&b=c'])('%s is no token, and is erased too', hash =>
        expect(arrival(hash)).toEqual({ token: undefined, address: '/svc/' }),
    );
    test.each(['', '#/concepts/user/a'])('nothing is done where there is none: %s', hash =>
        expect(arrival(hash)).toEqual({ token: undefined, address: undefined }),
    );
    test('is found in what is pasted', () => {
        expect(tokenIn(' a.b.c\n')).toBe('a.b.c');
        expect(tokenIn('http://127.0.0.1:1/#token=a.b.c')).toBe('a.b.c');
        expect(tokenIn('127.0.0.1')).toBe(undefined);
        expect(tokenIn('http://a.b.c')).toBe(undefined);
    });
});

describe('the route', () => {
    const project = { scope: 'user', id: 'a/b' } as const;

    test.each([
        { section: 'concepts', project: undefined, item: undefined },
        { section: 'concepts', project, item: undefined },
        { section: 'data', project: undefined, item: 'a table' },
        { section: 'data', project: { scope: 'organization', id: '#token=x' }, item: 'größer %/&' },
    ] as const)('comes back as it was written: $section $item', route => expect(routeOf(hashOf(route))).toEqual(route));

    test.each(['', '#', '#/', '#token=a.b.c', '#/a/user/b/c/d', '#x/concepts'])('%s is none', hash =>
        expect(routeOf(hash)).toBe(undefined),
    );

    test('what it does not know is left out', () => {
        expect(routeOf('#/concepts/team/x/y')).toEqual({ section: 'concepts', project: undefined, item: undefined });
        expect(routeOf('#/concepts/user/%E0%A4%A')).toEqual({ section: 'concepts', project: undefined, item: undefined });
    });
});
