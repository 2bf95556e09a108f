import { bindKey } from '#language/analysis/binds.ts';
import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { otherDelimiter } from '#language/library/data-sources.ts';
import { typeNamed } from '#language/library/type-names.ts';
import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { readQuery } from '#language/sql/read-query.ts';

/** How the examples of problems are called. */
export const EXAMPLE_FILE = 'example.rulelang';

function schemaOf(header: readonly string[]): SourceSchema {
    const columns = header.map(text => {
        const [name = '', type] = text.split(':');
        const known = type === undefined ? undefined : typeNamed(type);
        return { name, ...(known && { type: known }) };
    });
    const delimiter = otherDelimiter(header);
    return delimiter === undefined ? { columns } : { columns, delimiter };
}

/** The example of a problem, or a text in its place, beside its modules and sources. */
export function exampleDocument(
    text: string,
    {
        file = EXAMPLE_FILE,
        modules = {},
        sources = {},
        schemas: shown = {},
        missing = {},
        refused = [],
        held = {},
        unanswered,
        scripts: texts,
    }: Pick<ProblemEntry, 'file' | 'modules' | 'sources' | 'schemas' | 'missing' | 'refused' | 'held' | 'unanswered' | 'scripts'>,
): OpenDocument {
    const scripts = texts && {
        unavailable: { reason: say`Python is switched off`, remedy: '' },
        isThere: (script: string) => Object.hasOwn(texts, script),
        textOf: (script: string) => texts[script],
    };
    const headers = Object.entries(sources).map(([name, header]) => [name, schemaOf(header)] as const);
    const schemas = new Map([...headers, ...Object.entries(shown)]);
    const read = Object.entries({ ...modules, [file]: text }).map(([name, content]) => {
        const { value, problems } = readProgram(content, name);
        return { file: name, clauses: value.clauses, problems };
    });
    type Known = Pick<AnalysisOptions, 'missingFiles' | 'refusedBinds' | 'heldTargets' | 'unansweredQueries'>;
    const open = (known: Known): OpenDocument =>
        openDocument(text, file, { schemas, ...known, sql: readQuery, ...(scripts && { scripts }) }, findModules(modulesAmong(read)));
    const document = open({});
    const { schemaNeeds, binds, program } = document.analysed;
    const missingFiles = schemaNeeds.flatMap(bind => {
        const lack = missing[bind.inner];
        return lack === undefined ? [] : [[bindKey(bind), lack] as const];
    });
    const refusedBinds = binds.flatMap(bind => {
        const reason = say`'${bind.inner}' cannot be read: the encoding is not known`;
        return refused.includes(bind.predicate) ? [[bindKey(bind), { reason }] as const] : [];
    });
    const heldTargets = binds.flatMap(bind => {
        const columns = bind.options.has('saveMode') ? undefined : held[bind.predicate];
        const given = document.analysed.outputs.flatMap(key => document.analysed.predicates.get(key)?.columns ?? []);
        const names = given.map(({ name }) => name).join(', ');
        const reason = columns && say`its columns are ${columns.join(', ')}, and those of '${bind.predicate}' are ${names}`;
        return reason === undefined ? [] : [[bindKey(bind), { name: bind.inner, reason }] as const];
    });
    const unansweredQueries = program.clauses.flatMap(clause => {
        const sql = unanswered === true && clause.kind === 'rule' ? sqlOf(clause) : undefined;
        return sql === undefined ? [] : [[sql.text, { reason: say`a column has to be grouped or aggregated` }] as const];
    });
    if (missingFiles.length + refusedBinds.length + heldTargets.length + unansweredQueries.length === 0) return document;
    return open({
        missingFiles: new Map(missingFiles),
        refusedBinds: new Map(refusedBinds),
        heldTargets: new Map(heldTargets),
        unansweredQueries: new Map(unansweredQueries),
    });
}
