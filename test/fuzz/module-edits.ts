import { RuleDocument } from '#language/document/rule-document.ts';
import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import { inclusionOf } from '#language/modules/include.ts';
import { expectSame } from '../language/document/expect-same.ts';
import { generatedText } from '../language/document/generated-text.ts';
import { changeAtLine, randomChange, randomNumbers } from '../language/document/random-edits.ts';
import { finding } from '../support/modules.ts';
import type { Search } from './search.ts';

const HEADS = ['@include("b"). @include("c").\n', '@module("b"). @include("c").\n', '@module("c"). @include("a").\n', '@module("d").\n'];
const NAMES = ['a', 'b', 'c', 'd'];

const CHANGES = 15;

/** Documents that include each other and share their clauses, each compared with what all texts say when read anew. */
export const moduleEdits: Search<true> = {
    name: 'module-edits',
    text: seed => generatedText(32, randomNumbers(seed)),
    check(text, seed) {
        const below = randomNumbers(seed + 1);
        const lines = text.split('\n');
        const documents = NAMES.map((name, i) =>
            RuleDocument.open(`${HEADS[i]}${lines.filter((_, line) => line % 4 === i).join('\n')}`, name),
        );
        for (let i = 0; i < CHANGES; i++) {
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
            const note = `change ${i} of ${changed.module.file}, asked ${asked.module.file}: ${JSON.stringify([before, edit])}`;
            expectSame(asked, note, { whole: below(2) === 0, find: finding(texts) });
        }
        return true;
    },
};
