import { expect, test } from 'vitest';
import { DATA_TEXTS } from '../support/data-texts.ts';
import { programOf, saidIn, saidTooEarly, sourcesIn, unsaidIn } from '../support/said-texts.ts';

const AREAS = ['language', 'engine', 'server'] as const;

/** Folders and files whose texts of several words are not translated, and what they are. */
const OTHER_TEXTS: ReadonlyMap<string, string> = new Map([
    ['engine/pushdown/dialects.ts', 'SQL'],
    ['engine/pushdown/pushed-run.ts', 'SQL'],
    ['engine/pushdown/pushed-stratum.ts', 'SQL'],
    ['engine/pushdown/sql-functions.ts', 'SQL'],
    ['engine/pushdown/sql-groups.ts', 'SQL'],
    ['engine/pushdown/sql-rule.ts', 'SQL'],
    ['server/compute/duckdb-compute.ts', 'SQL'],
    ['server/compute/duckdb-failures.ts', 'errors of DuckDB'],
    ['language/editing/function-reference.ts', 'a page'],
    ['language/editing/language-page.ts', 'words for models'],
    ['language/editing/program-for-models.ts', 'words for models'],
    ['language/editing/language-reference.ts', 'a page'],
    ['language/editing/quick-fixes/annotations.ts', 'an annotation'],
    ['language/library/annotation-catalogue.ts', 'how often an annotation stands, on a page'],
    ['language/library/connected-sources.ts', 'options'],
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
    ['engine/contracts/clash.ts', 'a fault that is told otherwise'],
    ['engine/engine.ts', 'a limit'],
    ['engine/evaluate/', 'names of relations, limits and months'],
    ['engine/graph/', 'kinds'],
    ['engine/plan/aggregate-signature.ts', 'names of relations'],
    ['engine/plan/asked-calls.ts', 'names of relations'],
    ['engine/plan/asked-queries.ts', 'names of relations'],
    ['engine/plan/contribution.ts', 'a kind'],
    ['engine/plan/facts-relation.ts', 'names of relations'],
    ['engine/plan/passes/', 'names of relations, and kinds'],
    ['engine/plan/plan', 'names of relations, and kinds'],
    ['engine/plan/relation-call.ts', 'names of relations'],
    ['engine/plan/rule-groups.ts', 'names of relations'],
    ['engine/reports/report-help.ts', 'examples'],
    ['server/api/app.ts', 'the log'],
    ['server/agent/system-prompt.ts', 'words for models'],
    ['server/assistant/told-answer.ts', 'words for models'],
    ['server/assistant/synonyms.ts', 'words of questions'],
    ['server/api/document-reader.ts', 'words for models'],
    ['server/model/model-functions.ts', 'words for models'],
    ['server/model/repaired-answer.ts', 'words for models'],
    ['server/model/row-objections.ts', 'words for models'],
    ['server/model/told-proof.ts', 'words for models'],
    ['server/protocol/proof-sentences.ts', 'words for models, and words of sentences'],
    ['server/sources/documents/answered-tables.ts', 'words for models'],
    ['server/sources/documents/document-schemas.ts', 'names of columns'],
    ['server/sources/documents/found-facts.ts', 'words for models'],
    ['server/mcp/mcp-server.ts', 'words for models'],
    ['server/tools/concept-tools.ts', 'words for models'],
    ['server/tools/documentation-tools.ts', 'words for models'],
    ['server/tools/former-tools.ts', 'words for models'],
    ['server/tools/program-tools.ts', 'words for models'],
    ['server/tools/project.ts', 'words for models'],
    ['server/tools/source-tools.ts', 'words for models'],
    ['server/api/program-writer.ts', 'what a model is told'],
    ['engine/maintain/rule-starts.ts', 'keys of relations'],
    ['language/program/day-patterns.ts', 'how days are written in files'],
    ['server/api/remembered-run.ts', 'the log'],
    ['server/api/spool.ts', 'the log'],
    ['server/api/workers.ts', 'parts of the sentence of a code'],
    ['server/api/validate.ts', 'what fields must be'],
    ['server/assistant/documentation.ts', 'words that no search looks for'],
    ['server/cli/arguments.ts', 'help of an option, said with the others'],
    ['server/cli/commands/', 'help, listed as data'],
    ['server/cli/new-project.ts', 'a program'],
    ['server/cli/service-options.ts', 'a part of help'],
    ['server/cli/shell-completion.ts', 'scripts'],
    ['server/client/', 'an answer that is none, which others say'],
    ['server/compute/closed-database.ts', 'SQL'],
    ['server/compute/parquet-writer.ts', 'SQL'],
    ['server/compute/query-probe.ts', 'SQL'],
    ['server/compute/query-failures.ts', 'what DuckDB says'],
    ['server/files/protected-names.ts', 'names of files'],
    ['server/lsp/guard.ts', 'for authors of clients'],
    ['server/problem-help/help-page.ts', 'markup'],
    ['server/problem-help/problem-reference.ts', 'a page'],
    ['server/protocol/', 'routes, and the sentences of their codes'],
    ['server/processes/end-with-parent.ts', 'a program'],
    ['server/runs/kept-run-file.ts', 'the first line of a file'],
    ['server/sources/excel/sheet-xml.ts', 'XML'],
    ['server/sources/excel/workbook-parts.ts', 'XML'],
    ['server/sources/excel/write-workbook.ts', 'XML'],
    ['server/sources/sqlite/', 'SQL'],
    ['server/store/migrations/', 'SQL'],
    ['server/sources/databases/database-sink.ts', 'SQL'],
    ['server/sources/databases/mysql', 'SQL'],
    ['server/sources/databases/opening-socket.ts', 'faults that are told by their codes'],
    ['server/sources/databases/postgresql', 'SQL'],
    ['server/terminal/graph-formats/', 'Graphviz and Mermaid'],
    ['server/terminal/problem-formats/', 'XML and SARIF'],
    ['server/terminal/profile-formats/profile-flame.ts', 'markup'],
    ['server/terminal/test-formats/tests-junit.ts', 'XML'],
    ['server/model/try-model.ts', 'what a model is told'],
    ['server/translate/rdf/program.ts', 'types'],
    ['server/translate/sql/', 'SQL'],
]);

/** What is the same in every language: labels and names of the services, what fields must be, what systems and protocols say. */
const SAME_TEXTS: ReadonlySet<string> = new Set([
    ...['Bad request', 'Not found', 'Method not allowed', 'Too large', 'Unsupported media type', 'Rate limited', 'Internal error'],
    ...['Connection failed', 'No evaluation in progress', 'Request body', 'The configuration', 'img-src blob:'],
    ...['an id', 'equal to concept_name', 'must be {0}', 'name of a predicate', 'non-empty string', 'string of digits', 'less than {0}'],
    ...['a JSON list of {"column", "operator", "value"} with columns that are there', 'a folder that can be written ({0})'],
    ...['a row of {0}, with _ for any value: {1}({2})', 'nesting of at most {0}', 'must not nest deeper than {0}'],
    ...["the name of a predicate, for '{0}' is a program", "another one, for '{0}' has a predicate of that name"],
    ...[
        'function breakpoint',
        'application/x-www-form-urlencoded or multipart/form-data',
        'open engine',
        'Application Support',
        'Unexpected end',
    ],
]);

const SQL =
    /^(?:, \{0\} BLOB|\{0\} IS (?:NOT )?NULL|BEGIN|CAST|CREATE|DELETE|DESCRIBE|DROP|INSERT|SELECT|SET|UPDATE|WITH|max|source\w+ WHERE)\b/u;

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
            .filter(text => !(data.has(text) || SAME_TEXTS.has(text) || SQL.test(text)))
            .map(text => `${file}: ${text}`),
    );
    expect(hardWired).toEqual([]);
});

async function dataTexts(area: (typeof AREAS)[number]): Promise<string[]> {
    return (await DATA_TEXTS[area]()).filter(text => typeof text === 'string' && text !== '') as string[];
}
