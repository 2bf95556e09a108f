import { test } from 'vitest';
import { RuleDocument } from '#language/document/rule-document.ts';
import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import { inclusionOf } from '#language/modules/include.ts';
import { finding } from '../../support/modules.ts';
import { expectSame } from './expect-same.ts';
import { generatedText } from './fuzz.ts';
import { changeAtLine, randomChange, randomNumbers } from './random-edits.ts';

const HEADS = ['@include("b"). @include("c").\n', '@module("b"). @include("c").\n', '@module("c"). @include("a").\n', '@module("d").\n'];
const NAMES = ['a', 'b', 'c', 'd'];

/** Documents that include each other and share their clauses, each compared with what all texts say when read anew. */
function fuzz(seed: number, changes: number): void {
    const below = randomNumbers(seed);
    const documents = NAMES.map((name, i) => RuleDocument.open(`${HEADS[i]}${generatedText(8, below)}`, name));
    for (let i = 0; i < changes; i++) {
        const changed = documents[below(documents.length)] as RuleDocument;
        const before = changed.current.text;
        const edit = below(3) === 0 ? randomChange(before, below) : changeAtLine(before, below);
        changed.edit([edit]);
        if (below(3) === 0) continue;
        const modules = documents.map(document => document.module);
        const find = findModules(modulesAmong(modules));
        for (const document of documents) document.include(inclusionOf(document.module, find));
        const texts = documents.map(({ current }) => [current.file, current.text] as const);
        const asked = documents[below(documents.length)] as RuleDocument;
        const note = `seed ${seed}, change ${i} of ${changed.module.file}, asked ${asked.module.file}: ${JSON.stringify([before, edit])}`;
        expectSame(asked, note, below(2) === 0, finding(texts));
    }
}

test.each([1, 2])("documents that include each other follow each other's changes (seed %i)", seed => fuzz(seed, 60));
