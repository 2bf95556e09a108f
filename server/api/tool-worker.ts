import { RunStopped } from '#engine/reports/reports.ts';
import type { TableUse } from '#language/program/sql-reading.ts';
import { parseSelect, type SqlProblem } from '#language/sql/parse-select.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { sqlQuery } from '#language/sql/sql-query.ts';
import { buildBind } from '#language/tools/build-bind.ts';
import { type ParsedBinds, parseBinds } from '#language/tools/parse-binds.ts';
import { type ProgramEffects, programEffects } from '#language/tools/program-effects.ts';
import { type ProgramInterface, programInterface, type Tool } from '#language/tools/program-interface.ts';
import { textAtAddress } from '#server/files/granted-address.ts';
import { serviceGrants } from '#server/files/grants.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { type ConceptQuestion, conceptDiagnostics } from '#server/projects/check-concept.ts';
import { type ConceptText, type ReadConceptText, readConceptText } from '#server/projects/concept-text.ts';
import { type PlannedRun, planRun, type RunQuestion } from '#server/projects/plan-run.ts';
import { type RenamedText, renamedText } from '#server/projects/renamed-text.ts';
import { problemDiagnostics, textDiagnostic } from '#server/projects/text-diagnostics.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import { revived } from '#server/protocol/portable.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { forViewer } from '#server/secrets/for-viewer.ts';
import type { ReadDocument } from '#server/sources/documents/document.ts';
import type { Survey, SurveyQuestion } from '#server/sources/surveys/source-description.ts';
import { survey } from '#server/sources/surveys/survey.ts';
import { type WantedBinds, writtenBinds } from '#server/sources/written-binds.ts';
import { type GivenDocument, type ImportError, withImports } from '#server/translate/owl/imports.ts';
import { type OwlParts, type OwlProgram, owlProgram } from '#server/translate/owl/program.ts';
import { rdfProgram } from '#server/translate/rdf/program.ts';
import { type RdfProblem, type ReadRdf, type ReadTriples, rdfTriples } from '#server/translate/rdf/triples.ts';
import { sqlProgram } from '#server/translate/sql/sql-program.ts';
import type { KnownTable } from '#server/translate/sql/table-columns.ts';
import { answerQuestions } from './worker-process.ts';

export type ToolQuestion =
    | { readonly kind: 'analyze'; readonly program: string }
    | { readonly kind: 'analyze-sql'; readonly query: string; readonly name: string }
    | { readonly kind: 'parse-binds'; readonly program: string; readonly output?: string }
    | { readonly kind: 'find-effects'; readonly program: string; readonly output?: string }
    | { readonly kind: 'write-binds'; readonly wanted: WantedBinds }
    | { readonly kind: 'survey'; readonly question: SurveyQuestion }
    | { readonly kind: 'read-document'; readonly question: SurveyQuestion }
    | { readonly kind: 'translate-sql'; readonly query: string; readonly known: readonly KnownTable[] }
    | { readonly kind: 'translate-rdf'; readonly text: string }
    | {
          readonly kind: 'translate-owl';
          readonly text: string;
          readonly base: string;
          readonly includes: Omit<OwlParts, 'loaded'>;
          /** Absent if imports are left out. */
          readonly imports?: { readonly documents: readonly GivenDocument[]; readonly folders: RunFolders };
      }
    | { readonly kind: 'plan-run'; readonly question: RunQuestion }
    | { readonly kind: 'read-concept'; readonly text: ConceptText }
    | { readonly kind: 'rename-concept'; readonly text: ConceptText; readonly from: string; readonly to: string }
    | { readonly kind: 'check-concept'; readonly question: ConceptQuestion }
    /** The part of an answer that a viewer may see; `value` is `portable`. */
    | { readonly kind: 'mask'; readonly value: unknown }
    | { readonly kind: 'build-bind'; readonly annotation: string; readonly predicate: string; readonly isOutput: boolean };

export type ToolAnswer =
    | { readonly kind: 'interface'; readonly value: ProgramInterface }
    | { readonly kind: 'binds'; readonly value: ParsedBinds }
    | { readonly kind: 'effects'; readonly value: ProgramEffects }
    | { readonly kind: 'planned-run'; readonly value: PlannedRun }
    | { readonly kind: 'concept'; readonly value: ReadConceptText }
    | { readonly kind: 'diagnostics'; readonly value: readonly Diagnostic[] }
    | { readonly kind: 'renamed-concept'; readonly value: RenamedText }
    /** Undefined for a text that no translator covers. */
    | { readonly kind: 'program'; readonly text: string | undefined; readonly tables?: readonly TableUse[] }
    | { readonly kind: 'owl'; readonly format: string; readonly value: OwlProgram; readonly importErrors: readonly ImportError[] }
    | { readonly kind: 'json'; readonly text: string }
    | { readonly kind: 'annotation'; readonly value: { readonly annotation: string } }
    | { readonly kind: 'survey'; readonly value: Survey }
    | { readonly kind: 'document'; readonly value: ReadDocument }
    /** A source that cannot be read, and why. */
    | { readonly kind: 'unreadable'; readonly message: string }
    | { readonly kind: 'refused'; readonly diagnostics: readonly Diagnostic[] };

function answer(question: ToolQuestion): ToolAnswer | Promise<ToolAnswer> {
    switch (question.kind) {
        case 'analyze':
            return toolAnswer('interface', programInterface(question.program), question.program);
        case 'find-effects':
            return toolAnswer('effects', programEffects(question.program, question.output), question.program);
        case 'analyze-sql': {
            const { query, name } = question;
            const { tables, problems } = sqlQuery(query);
            if (problems.length > 0) return refusedSql(query, problems);
            return { kind: 'interface', value: { headPredicates: [name], inputPredicates: tables } };
        }
        case 'parse-binds':
            return toolAnswer('binds', parseBinds(question.program, question.output), question.program);
        case 'write-binds':
            return { kind: 'program', text: writtenBinds(question.wanted) };
        case 'survey':
            return unlessUnreadable(async () => ({ kind: 'survey', value: await survey(question.question) }));
        case 'read-document':
            return unlessUnreadable(async () => {
                const { readDocument } = await import('#server/sources/documents/read-document.ts');
                return { kind: 'document', value: await readDocument(question.question) };
            });
        case 'translate-sql': {
            const { query, known } = question;
            const parsed = parseSelect(query);
            if (!parsed.ok) return refusedSql(query, [parsed.problem]);
            return { kind: 'program', text: sqlProgram(query, known, parsed), tables: readQuery(query).tables };
        }
        case 'translate-rdf':
            return translated(rdfTriples(question.text), ({ triples }) => ({ kind: 'program', text: rdfProgram(triples) }));
        case 'translate-owl':
            return translated(rdfTriples(question.text, question.base), ({ format, triples }) => {
                const { includes, imports } = question;
                if (imports === undefined) return { kind: 'owl', format, value: owlProgram(triples, includes), importErrors: [] };
                const grants = serviceGrants(imports.folders);
                const all = withImports(triples, imports.documents, address => textAtAddress(address, grants));
                return {
                    kind: 'owl',
                    format,
                    value: owlProgram(all.triples, { ...includes, loaded: all.loaded }),
                    importErrors: all.errors,
                };
            });
        case 'plan-run':
            return planRun(question.question).then(value => ({ kind: 'planned-run', value }));
        case 'read-concept':
            return { kind: 'concept', value: readConceptText(question.text) };
        case 'check-concept':
            return conceptDiagnostics(question.question).then(value => ({ kind: 'diagnostics', value }));
        case 'rename-concept':
            return { kind: 'renamed-concept', value: renamedText(question.text, question.from, question.to) };
        case 'mask':
            return { kind: 'json', text: jsonOf(forViewer(revived(question.value))) };
        case 'build-bind': {
            const { annotation, predicate, isOutput } = question;
            const built = buildBind(annotation, predicate, isOutput);
            if (built.ok) return { kind: 'annotation', value: { annotation: built.annotation } };
            return { kind: 'refused', diagnostics: [textDiagnostic(annotation, 0, annotation.length, built.reason, 'bind')] };
        }
    }
}

function refusedSql(query: string, problems: readonly SqlProblem[]): ToolAnswer {
    return { kind: 'refused', diagnostics: problems.map(({ start, end, message }) => textDiagnostic(query, start, end, message, 'sql')) };
}

function translated(read: ReadRdf, translate: (read: ReadTriples) => ToolAnswer): ToolAnswer {
    if (read.kind === 'refused') return refusedRdf(read.problem);
    try {
        return translate(read);
    } catch (error) {
        if (isRefusal(error, 'document')) return refusedRdf({ message: error.message, line: 1, column: 1 });
        throw error;
    }
}

function refusedRdf({ message, line, column }: RdfProblem): ToolAnswer {
    return {
        kind: 'refused',
        diagnostics: [{ message, severity: 'error', line, column, end_line: line, end_column: column, code: 'rdf' }],
    };
}

async function unlessUnreadable(look: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    try {
        return await look();
    } catch (error) {
        if (error instanceof RunStopped) return { kind: 'unreadable', message: error.message };
        throw error;
    }
}

function toolAnswer<K extends 'interface' | 'binds' | 'effects'>(kind: K, read: Tool<unknown>, text: string): ToolAnswer {
    if (read.ok) return { kind, value: read.value } as ToolAnswer;
    return { kind: 'refused', diagnostics: problemDiagnostics(text, read.problems) };
}

answerQuestions(answer);
