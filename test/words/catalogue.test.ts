import { expect, test } from 'vitest';
import { DATA_TEXTS } from '../support/data-texts.ts';
import { programOf, saidIn, saidTooEarly, sourcesIn, unsaidIn } from '../support/said-texts.ts';

const AREAS = ['language', 'engine', 'server'] as const;

/** Folders and files whose texts of several words are not translated, and what they are. */
const OTHER_TEXTS: ReadonlyMap<string, string> = new Map([
    ['language/editing/function-reference.ts', 'a page'],
    ['language/editing/language-reference.ts', 'a page'],
    ['language/editing/quick-fixes/annotations.ts', 'an annotation'],
    ['language/library/annotation-catalogue.ts', 'how often an annotation stands, on a page'],
    ['language/library/data-sources.ts', 'options'],
    ['language/library/function-catalogue.ts', 'titles of a page'],
    ['language/library/function-examples.ts', 'expressions'],
    ['language/library/lambda/read-lambda.ts', 'a kind'],
    ['language/library/model-question.ts', 'types'],
    ['language/library/operators.ts', 'a page'],
    ['language/library/relation-functions.ts', 'expressions'],
    ['language/problems/checks/annotation-shapes.ts', 'options'],
    ['language/problems/program-checks.ts', 'keys'],
    ['language/sql/', 'SQL'],
    ['language/syntax/diagnose-clause.ts', 'letters'],
    ['language/syntax/foreign-forms/', 'forms of other languages'],
    ['engine/clash.ts', 'a fault that is told otherwise'],
    ['engine/engine.ts', 'a limit'],
    ['engine/evaluate/', 'names of relations, limits and months'],
    ['engine/graph/', 'kinds'],
    ['engine/plan/', 'names of relations, and printed plans'],
    ['engine/report-help.ts', 'examples'],
    ['server/agent/', 'for language models'],
    ['server/api/', 'answers of services, which name their faults by codes'],
    ['server/assistant/', 'answers of services'],
    ['server/cli/arguments.ts', 'help of an option, said with the others'],
    ['server/cli/commands/', 'help, listed as data'],
    ['server/cli/service-options.ts', 'a part of help'],
    ['server/client/', 'answers of services'],
    ['server/compute/file-database.ts', 'SQL'],
    ['server/compute/parquet-writer.ts', 'SQL'],
    ['server/compute/sql-engine.ts', 'SQL'],
    ['server/concepts/', 'answers of services'],
    ['server/exports/', 'answers of services'],
    ['server/files/protected-names.ts', 'names of files'],
    ['server/lsp/guard.ts', 'for authors of clients'],
    ['server/model/', 'for language models'],
    ['server/problem-help/help-page.ts', 'a page'],
    ['server/problem-help/problem-reference.ts', 'a page'],
    ['server/projects/', 'answers of services'],
    ['server/protocol/', 'descriptions of routes'],
    ['server/python/runner.ts', 'a program'],
    ['server/runs/end-with-parent.ts', 'a program'],
    ['server/runs/kept-run-file.ts', 'the first line of a file'],
    ['server/secrets/', 'answers of services'],
    ['server/store/', 'SQL, and answers of services'],
    ['server/terminal/graph-formats/', 'Graphviz and Mermaid'],
    ['server/terminal/problem-formats/', 'XML and SARIF'],
    ['server/terminal/profile-formats/profile-flame.ts', 'markup'],
    ['server/translate/', 'answers of services'],
]);

test.each(AREAS)('what %s says is in its catalogue', async area => {
    const said = sourcesIn(area).flatMap(file => saidIn(programOf(file)));
    const catalogue = Object.fromEntries([...new Set([...said, ...(await dataTexts(area))])].sort().map(text => [text, text]));
    await expect(`${JSON.stringify(catalogue, undefined, 4)}\n`).toMatchFileSnapshot(`../../server/words/en/${area}.json`);
});

test('nothing is said before a language can be chosen', () => {
    const files = AREAS.flatMap(sourcesIn);
    expect(files.flatMap(file => saidTooEarly(programOf(file)).map(text => `${file}: ${text}`))).toEqual([]);
});

test('no words are hard-wired', async () => {
    const files = AREAS.flatMap(sourcesIn).filter(file => ![...OTHER_TEXTS.keys()].some(other => file.startsWith(other)));
    const data = new Set((await Promise.all(AREAS.map(dataTexts))).flat());
    const hardWired = files.flatMap(file =>
        unsaidIn(programOf(file))
            .filter(text => !data.has(text))
            .map(text => `${file}: ${text}`),
    );
    expect(hardWired).toEqual([]);
});

async function dataTexts(area: (typeof AREAS)[number]): Promise<string[]> {
    return (await DATA_TEXTS[area]()).filter(text => typeof text === 'string' && text !== '') as string[];
}
