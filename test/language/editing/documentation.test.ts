import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { completions } from '#language/editing/completions.ts';
import { hoverCard } from '#language/editing/hover-card.ts';

const PROGRAM = `%% @concept road Roads of the county

@output("far").
%% Roads between places.
%% @term {string} From where it begins
%% @term {string} To
%% @term Km
@bind("road", "csv", "", "roads.csv").
%% @deprecated use 'far'.
%% Old reach.
reach(X, Y) <- road(X, Y, _).
%% @deprecated Nobody needs it any more.
old(X) <- road(X, _, _).
%% @deprecated
older(X) <- road(X, _, _).
far(X, Y) <- reach(X, Y), old(X), older(Y), road(X, Y, _).
`;

const document = openDocument(PROGRAM, 'p.rulelang');

function card(word: string): string {
    return hoverCard(document, PROGRAM.lastIndexOf(word))?.markdown ?? '';
}

describe('documentation in hover', () => {
    test('above an annotation that names the predicate, with terms as a list, and of the concept', () => {
        expect(card('road(X, Y, _).\n').split('\n\n').slice(1, 4)).toEqual([
            'Roads of the county',
            'Roads between places\\.',
            '- `From` `string` where it begins\n- `To` `string`\n- `Km`',
        ]);
    });

    test('a deprecation comes first', () => {
        expect(card('reach(X, Y), old').split('\n\n').slice(1, 3)).toEqual(["**Deprecated.** use \\'far\\'\\.", 'Old reach\\.']);
        expect(card('older(Y)').split('\n\n')[1]).toBe('**Deprecated.**');
    });

    test('nothing in a tag acts', () => {
        const text = '%% @term {`a`} <b> [x](command:y)\n%% @deprecated ![x](http://a/b)\np(1). q(X) <- p(X).';
        const markdown = hoverCard(openDocument(text, 'p.rulelang'), text.lastIndexOf('p('))?.markdown ?? '';
        expect(markdown).toContain('\\[x\\]\\(command\\:y\\)');
        expect(markdown).toContain('\\!\\[x\\]\\(http');
        expect(markdown).toContain('`<b>`');
    });
});

test('uses of deprecated predicates are hints that are struck through', () => {
    const found = document.problems.filter(({ code }) => code === 'RL9030');
    expect(found.map(({ message, severity, tags }) => [message, severity, tags])).toEqual([
        ["'reach' is deprecated; use 'far'", 'hint', ['deprecated']],
        ["'old' is deprecated: Nobody needs it any more", 'hint', ['deprecated']],
        ["'older' is deprecated", 'hint', ['deprecated']],
    ]);
});

test('a deprecation above an annotation counts, and not for a parameter of the same name', () => {
    const codes = (tag: string): string[] =>
        openDocument(`${tag}\nq(X) <- e(X).\n@output("q").`, 'p.rulelang').problems.map(({ code }) => code);
    expect(codes('%% @deprecated\n@input("e").')).toEqual(['RL6023', 'RL9030']);
    expect(codes('@input("e").\n%% @deprecated\n@param("e", 1).')).toEqual(['RL6023', 'RL8002']);
});

test('completion shows documentation, and which are deprecated', () => {
    const items = completions(document, PROGRAM.lastIndexOf('road(X, Y, _).\n'), { limit: 100 })?.items ?? [];
    const found = (label: string) => items.find(item => item.label === label);
    expect(found('reach')).toMatchObject({ deprecated: true, documentation: "**Deprecated.** use \\'far\\'\\.\n\nOld reach\\." });
    expect(found('road')?.documentation).toContain('Roads between places');
    expect(found('road')).not.toHaveProperty('deprecated');
});
