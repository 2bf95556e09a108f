import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { escapedText, inlineCode } from '#language/editing/markdown.ts';

function cardAt(text: string, word: string): string {
    return hoverCard(openDocument(text, 'a.rulelang'), text.lastIndexOf(word))?.markdown ?? '';
}

describe('text of users does nothing in a card', () => {
    test('in documentation', () => {
        const hostile = '[run](command:evil) ![x](http://a/b.png) <img src=x onerror=y> `code` www.example.org &amp; # title';
        const card = cardAt(`%% ${hostile}\n%%     indented\n%% ---\np(1). q(X) <- p(X).`, 'p(');
        expect(card).toContain('\\[run\\]\\(command\\:evil\\)');
        expect(card).toContain('\\!\\[x\\]');
        expect(card).toContain('\\<img src\\=x');
        expect(card).toContain('www\\.example\\.org');
        expect(card).toContain('\\&amp;');
        expect(card).not.toMatch(/^ {4}/m);
        expect(card).not.toMatch(/^---/m);
    });

    test('in a model, a path and a default', () => {
        const text =
            '@model("p", "[\'a```\\nb:string\']", "<b>"). @bind("p", "csv", "`d`", "``x``"). @param("v", "```\\n<b>").\nq(X) <- p(X), X > ?v.';
        const card = cardAt(text, 'p(');
        expect(card).toContain('````rulelang\np(a```');
        expect(card).toContain('\\<b\\>');
        expect(card).toContain('``` `d`/``x`` ```');
        expect(cardAt(text, 'v.')).not.toContain('\n<b>');
    });

    test('whatever it is', () => {
        expect(escapedText('a\r\nb\n\tc')).toBe('a  \nb  \nc');
        expect(inlineCode('`')).toBe('`` ` ``');
        expect(inlineCode('')).toBe('`  `');
    });
});
