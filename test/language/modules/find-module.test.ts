import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { findModules, type ModuleFiles, modulesAmong } from '#language/modules/find-module.ts';
import { sameInclusion } from '#language/modules/include.ts';
import type { IncludeTarget } from '#language/program/inclusion.ts';
import { moduleOf } from '../../support/modules.ts';

const FILES = [
    moduleOf('@module("data").', 'named.rulelang'),
    moduleOf('', 'data.rulelang'),
    moduleOf('', 'lib/data.rulelang'),
    moduleOf('', 'lib/deep/plain'),
    moduleOf('@module("two").', 'lib/one.rulelang'),
    moduleOf('@module("two").', 'lib/other.rulelang'),
];

function found(name: string, from = 'lib/main.rulelang', files: Partial<ModuleFiles> = {}): string {
    return shown(findModules({ ...modulesAmong(FILES), ...files })(name, from));
}

function shown(target: IncludeTarget | undefined): string {
    switch (target?.kind) {
        case undefined:
            return 'not known';
        case 'module':
            return target.module.file;
        case 'missing':
            return `missing ${target.looked.join(' ')} ${target.nearest ?? ''}`.trim();
        case 'several':
            return `several ${target.files.join(' ')}`;
        case 'refused':
            return `refused ${target.reason}`;
    }
}

describe('an include finds', () => {
    test('a file of that name, else one at that path', () => {
        expect(found('data')).toBe('named.rulelang');
        expect(found('data.rulelang')).toBe('lib/data.rulelang');
        expect(found('data.rulelang', 'main')).toBe('data.rulelang');
        expect(found('deep/plain')).toBe('lib/deep/plain');
        expect(found('../data')).toBe('data.rulelang');
        expect(found('lib/deep/plain')).toBe('lib/deep/plain');
    });

    test('nothing, and says where it looked', () => {
        expect(found('two')).toBe('several lib/one.rulelang lib/other.rulelang');
        expect(found('twoo', 'main')).toBe('missing twoo twoo.rulelang two');
        expect(found('x', 'main', { at: path => (path === 'x' ? { kind: 'refused', reason: 'no' } : { kind: 'absent' }) })).toBe(
            'refused no',
        );
        expect(found('x', 'main', { at: () => undefined })).toBe('not known');
        expect(found('x', 'main', { named: () => undefined })).toBe('not known');
    });

    test('not all that there may be', () => {
        const { problems } = openDocument('@include("x").', 'main', {}, findModules({ ...modulesAmong([]), isPartial: true }));
        expect(problems.map(({ code, remedy }) => [code, remedy])).toEqual([
            ['RL8010', expect.stringContaining('which are not all') as string],
        ]);
    });
});

test('an inclusion is the same while files and clauses are', () => {
    const find = findModules(modulesAmong(FILES));
    const inclusion = (text: string) => openDocument(text, 'main', {}, find).program.inclusion;
    expect(sameInclusion(inclusion('@include("data").'), inclusion('p(1). @include("data").'))).toBe(true);
    expect(sameInclusion(inclusion('@include("data").'), inclusion('@include("data.rulelang").'))).toBe(false);
    expect(sameInclusion(inclusion('@include("two").'), inclusion('@include("nowhere").'))).toBe(false);
    expect(sameInclusion(inclusion('p(1).'), undefined)).toBe(true);
});
