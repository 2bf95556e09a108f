import { planOf } from '#engine/engine.ts';
import type { PlanOptions } from '#engine/plan/plan-program.ts';
import { printPlan, printStrataOf } from '#engine/plan/print-plan.ts';
import { PASSES } from '#engine/plan/program-passes.ts';
import { RunStopped } from '#engine/reports/reports.ts';
import { bindKey } from '#language/analysis/binds.ts';
import { type OpenDocument, rangeOf } from '#language/document/open-document.ts';
import type { TablesOf } from '#language/editing/completion-options.ts';
import { boundTable } from '#language/editing/completions/source-tables.ts';
import { dependencyView } from '#language/editing/dependency-view.ts';
import { predicateSignature } from '#language/editing/signatures.ts';
import type { AnalysedProgram, Bind, Column, Predicate, SourceSchema, SourceTable } from '#language/program/analysed-program.ts';
import { counted } from '#language/program/count-text.ts';
import { printRuleText } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { printType, UNKNOWN } from '#language/program/types.ts';
import { visible } from '#server/notices/visible-text.ts';
import type { ShownPart } from '#server/protocol/shown.ts';
import { mermaidGraph } from '#server/terminal/graph-formats/mermaid.ts';

/** Milliseconds of planning during a request. */
const PATIENCE = 3000;
/** Errors that are listed. */
const MOST_ERRORS = 20;

/** Prints a part of a program as text for the reader. `tablesOf` lists the tables of databases. */
export function shownText(
    part: Exclude<ShownPart, 'predicate'>,
    document: OpenDocument,
    predicate: Predicate | undefined,
    tablesOf: TablesOf,
): string {
    switch (part) {
        case 'plan':
            return planned(document, options => printPlan(planOf(document.analysed, options)));
        case 'rules':
            return predicate === undefined ? '' : rulesText(document, predicate);
        case 'graph':
            return mermaidGraph(dependencyView(document.analysed));
        case 'columns':
            return predicate === undefined ? '' : columnsText(document.analysed, predicate, tablesOf);
    }
}

/** Prints a plan, or the reason why there is none. */
function planned({ isUnread, problems, text }: OpenDocument, print: (options: PlanOptions) => string): string {
    if (isUnread) return `${say`The program has too many rules to be planned here`}\n`;
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) {
        const lineOf = (problem: Problem): number => text.slice(0, rangeOf(problem).start).split('\n').length;
        const lines = errors.slice(0, MOST_ERRORS).map(error => `  ${lineOf(error)}: ${error.code} ${visible(error.message)}`);
        return [say`A program with errors has no plan:`, ...lines, ''].join('\n');
    }
    const until = performance.now() + PATIENCE;
    try {
        return print({
            look: () => {
                if (performance.now() > until) throw new TooLong();
            },
        });
    } catch (error) {
        if (error instanceof RunStopped) return `${visible(error.message)}\n`;
        if (error instanceof TooLong) return `${say`It takes too long to plan the program here`}\n`;
        throw error;
    }
}

/** Ends a plan that takes too long for an editor. */
class TooLong extends Error {}

/** The rules of a predicate as they are read, before anything is made of them, and as they would be run for the predicate alone. */
function rulesText(document: OpenDocument, { key, rules, facts, name }: Predicate): string {
    const { analysed } = document;
    const heading = (text: string): string => `% ${text}`;
    const read = rules.flatMap(index => analysed.rules[index] ?? []).map(({ rule }) => `${visible(printRuleText(rule))}.`);
    const none =
        facts.length === 0 ? say`'${name}' has no rules here` : say`'${name}' has no rules here, but ${counted(facts.length, 'fact')}`;
    if (read.length === 0) return `${heading(none)}\n`;
    const goals = new Set([key]);
    const all = new Set(PASSES);
    const asRun = planned(document, options => {
        const plan = planOf(analysed, { ...options, goals });
        const before = printStrataOf(planOf(analysed, { ...options, goals, disabledPasses: all }), key, all);
        const passes = plan.changedBy.size === 0 ? say`no pass changes it` : say`after ${[...plan.changedBy].join(', ')}`;
        return [
            heading(say`Before the passes of the planner`),
            before,
            heading(say`As it would be run: ${passes}`),
            printStrataOf(plan, key),
        ].join('\n');
    });
    return [heading(say`As it is read`), ...read, '', asRun].join('\n');
}

/** The columns of a predicate, and those of each source that it is read from. */
function columnsText(analysed: AnalysedProgram, predicate: Predicate, tablesOf: TablesOf): string {
    const sources = predicate.inputBinds.flatMap(bind => ['', `% ${sourceTitle(bind)}`, ...sourceColumns(analysed, bind, tablesOf)]);
    const rows = predicate.columns.map(({ name, type, ...more }) => [name, printType(type), nameInSource(more)]);
    return [`% ${visible(predicateSignature(predicate).label)}`, ...aligned(rows), ...sources, ''].join('\n');
}

function nameInSource({ mapped, header }: Pick<Column, 'mapped' | 'header'>): string {
    const name = mapped ?? header;
    return name === undefined ? '' : say`'${name}' in the source`;
}

function sourceTitle({ kind, type, outer, inner }: Bind): string {
    return visible([type, outer, ...(kind === 'qbind' ? [] : [inner])].filter(part => part !== '').join(' '));
}

function sourceColumns({ schemas }: AnalysedProgram, bind: Bind, tablesOf: TablesOf): string[] {
    const columns: SourceSchema['columns'] | SourceTable['columns'] | undefined =
        boundTable(bind, tablesOf)?.columns ?? schemas.get(bindKey(bind))?.columns;
    if (columns === undefined) return [say`its columns are not known`];
    return aligned(columns.map(({ name, type = UNKNOWN }, i) => [name ?? String(i), printType(type)]));
}

/** Cells that begin below each other. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
    const shown = rows.map(row => row.map(visible));
    const widths = shown[0]?.map((_, i) => Math.max(...shown.map(row => row[i]?.length ?? 0))) ?? [];
    return shown.map(row =>
        row
            .map((cell, i) => cell.padEnd(widths[i] ?? 0))
            .join('  ')
            .trimEnd(),
    );
}
