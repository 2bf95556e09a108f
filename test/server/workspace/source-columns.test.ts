import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { sourceColumns } from '#server/workspace/source-columns.ts';
import { folderWith } from '../../cli/command-line.ts';

const TEXT = '@bind("p", "csv useHeaders=true", "", "p.csv"). h(X, Y) <- p(X, Y). @output("h").';

/** A document whose source answers when the test says so. */
function awaiting() {
    const folder = folderWith({});
    const uri = pathToFileURL(join(folder, 'a.rulelang')).href;
    const answered: string[] = [];
    let answer: (schema: SourceSchema) => void = () => undefined;
    const later = new Promise<{ schema: SourceSchema }>(resolve => {
        answer = schema => resolve({ schema });
    });
    const columns = sourceColumns({
        roots: () => [folder],
        isTrusted: () => true,
        answered: one => void answered.push(one),
        look: () => later,
    });
    const open = (): OpenDocument => openDocument(TEXT, uri, columns.known(uri));
    return {
        uri,
        columns,
        answered,
        open,
        answer: (names: readonly string[]) => answer({ columns: names.map(name => ({ name })) }),
        later,
    };
}

function namesIn({ analysed }: OpenDocument): string[] | undefined {
    const [predicate] = analysed.predicatesNamed('p');
    return predicate?.columns.map(({ name }) => name);
}

test('a document is there before its source has answered, and is told when it has', async () => {
    const { uri, columns, answered, open, answer, later } = awaiting();
    const first = columns.completing(uri, open(), () => expect.fail('nothing was found yet'));
    expect([namesIn(first), answered]).toEqual([['p_0', 'p_1'], []]);
    answer(['name', 'size']);
    await later;
    expect(answered).toEqual([uri]);
    expect(namesIn(columns.completing(uri, open(), open))).toEqual(['name', 'size']);
});

test('an answer to what was forgotten counts for nothing', async () => {
    const { uri, columns, answered, open, answer, later } = awaiting();
    columns.completing(uri, open(), open);
    columns.forget(uri);
    answer(['name', 'size']);
    await later;
    expect([answered, namesIn(open())]).toEqual([[], ['p_0', 'p_1']]);
});
