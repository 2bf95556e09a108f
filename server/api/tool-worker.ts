import { parentPort } from 'node:worker_threads';
import type { Problem } from '#language/program/problem.ts';
import { sqlQuery } from '#language/sql/sql-query.ts';
import { buildBind } from '#language/tools/build-bind.ts';
import { type ParsedBinds, parseBinds } from '#language/tools/parse-binds.ts';
import { type ProgramInterface, programInterface, type Tool } from '#language/tools/program-interface.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import { positionAt, sourceText } from '#server/terminal/source-texts.ts';

export type ToolQuestion =
    | { readonly kind: 'analyze'; readonly program: string }
    | { readonly kind: 'analyze-sql'; readonly query: string; readonly name: string }
    | { readonly kind: 'parse-binds'; readonly program: string; readonly output?: string }
    | { readonly kind: 'build-bind'; readonly annotation: string; readonly predicate: string; readonly isOutput: boolean };

export type ToolAnswer =
    | { readonly kind: 'interface'; readonly value: ProgramInterface }
    | { readonly kind: 'binds'; readonly value: ParsedBinds }
    | { readonly kind: 'annotation'; readonly value: { readonly annotation: string } }
    | { readonly kind: 'refused'; readonly diagnostics: readonly Diagnostic[] };

/** Problems that are told at most. */
const MOST = 100;

function answer(question: ToolQuestion): ToolAnswer {
    switch (question.kind) {
        case 'analyze':
            return toolAnswer('interface', programInterface(question.program), question.program);
        case 'analyze-sql': {
            const { query, name } = question;
            const { tables, problems } = sqlQuery(query);
            if (problems.length === 0) return { kind: 'interface', value: { headPredicates: [name], inputPredicates: tables } };
            return {
                kind: 'refused',
                diagnostics: problems.map(({ start, end, message }) => diagnostic(query, start, end, message, 'sql')),
            };
        }
        case 'parse-binds':
            return toolAnswer('binds', parseBinds(question.program, question.output), question.program);
        case 'build-bind': {
            const { annotation, predicate, isOutput } = question;
            const built = buildBind(annotation, predicate, isOutput);
            if (built.ok) return { kind: 'annotation', value: { annotation: built.annotation } };
            return { kind: 'refused', diagnostics: [diagnostic(annotation, 0, annotation.length, built.reason, 'bind')] };
        }
    }
}

function toolAnswer<K extends 'interface' | 'binds'>(kind: K, read: Tool<unknown>, text: string): ToolAnswer {
    if (read.ok) return { kind, value: read.value } as ToolAnswer;
    return { kind: 'refused', diagnostics: read.problems.slice(0, MOST).map(problem => diagnosticOf(problem, text)) };
}

function diagnosticOf({ place, span, message, severity, code }: Problem, text: string): Diagnostic {
    return { ...diagnostic(text, place.offset + span.start, place.offset + span.end, message, code), severity };
}

function diagnostic(text: string, from: number, to: number, message: string, code: string): Diagnostic {
    const source = sourceText(text);
    const [start, end] = [positionAt(source, from), positionAt(source, to)];
    return {
        message,
        severity: 'error',
        line: start.line + 1,
        column: start.character + 1,
        end_line: end.line + 1,
        end_column: end.character + 1,
        code,
    };
}

parentPort?.on('message', (question: ToolQuestion) => parentPort?.postMessage(answer(question)));
