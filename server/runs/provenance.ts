import { CHASE_COLUMNS, type ChaseRow, chaseRows } from '#engine/explain/chase.ts';
import { chaseGraph, EDGE_COLUMNS, EDGE_TYPE, NODE_COLUMNS, predicateOf } from '#engine/explain/chase-graph.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { FactNode } from '#engine/explain/explanation.ts';
import { explanationText, explanationTrees } from '#engine/explain/explanation-text.ts';
import { type RecordedRow, recordedChase } from '#engine/explain/recorded-chase.ts';
import { stop } from '#engine/reports/reports.ts';
import { listPredicate } from '#engine/results/listing.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { AnalysedProgram, Bind, PredicateKey, ProvenanceTarget } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Results } from './results.ts';
import type { Writing } from './write-outputs.ts';

/** Results of `@chase` and `@explain` of a program: rows for files, and text for the console. */
export interface Provenance {
    readonly writings: readonly Writing[];
    readonly console: string;
}

const EXPLANATION_COLUMNS = ['Fact', 'JsonExplanation', 'TextualExplanation'] as const;

/** The files that a run of the program writes for `@chase` and `@explain`. */
export function provenanceBinds(program: AnalysedProgram): Bind[] {
    return program.provenance
        .filter(isFile)
        .flatMap(target => (target.asGraph ? [folderOf(target.bind, 'nodes'), folderOf(target.bind, 'edges')] : [target.bind]));
}

/** Advises on a target of `@chase` or `@explain` without a connector. */
export function provenanceRemedy({ annotation, type }: Bind): { readonly remedy?: string } {
    if (annotation.name === 'chase' && type === 'neo4j')
        return { remedy: say`Write @chase("csv forNeo4jBulkImport=true", "folder", "file.csv"), and import its two files into Neo4j.` };
    if (annotation.name === 'chase' || annotation.name === 'explain')
        return { remedy: say`Write @${annotation.name}("csv", "folder", "file.csv"), and load the file into the database.` };
    return {};
}

/** Returns the further needs of these targets: keep heights, and derive these predicates besides the outputs. */
export function provenanceNeeds(program: AnalysedProgram): { readonly heights: boolean; readonly goals: readonly PredicateKey[] } {
    const targets = program.provenance;
    return {
        heights: targets.some(({ recorded }) => !recorded),
        goals: targets.flatMap(target => (target.predicates === undefined || target.recorded ? [] : predicatesOf(target, program))),
    };
}

export function provenanceOf(answered: Results, checkpoint: () => void): Provenance {
    const writings: Writing[] = [];
    const said: string[] = [];
    for (const target of answered.database.program.provenance) {
        if (target.kind === 'chase') tellChase(target, answered, checkpoint, writings, said);
        else tellExplanations(target, answered, checkpoint, writings, said);
    }
    return { writings, console: said.join('') };
}

function isFile({ bind }: ProvenanceTarget): boolean {
    return bind.type !== 'console';
}

function folderOf(bind: Bind, folder: string): Bind {
    return { ...bind, outer: bind.outer === '' ? folder : `${bind.outer.replace(/\/$/u, '')}/${folder}` };
}

function tellChase(
    target: ProvenanceTarget,
    { database, label }: Results,
    checkpoint: () => void,
    writings: Writing[],
    said: string[],
): void {
    const rows = [...chaseRows(database, label, checkpoint)];
    const { bind } = target;
    if (!isFile(target)) {
        said.push(...rows.map(chaseText));
    } else if (target.asGraph) {
        const { nodes, edges } = chaseGraph(rows);
        const nodeRows = nodes.map(({ fact, labels }) => [fact, labels]);
        const edgeRows = edges.map(({ from, to, rule }) => [from, to, rule, EDGE_TYPE]);
        writings.push({
            bind: quoting(folderOf(bind, 'nodes')),
            rows: textRows(NODE_COLUMNS, nodeRows),
            what: say`the nodes of the chase`,
        });
        writings.push({
            bind: quoting(folderOf(bind, 'edges')),
            rows: textRows(EDGE_COLUMNS, edgeRows),
            what: say`the edges of the chase`,
        });
    } else {
        const cells = rows.map(({ fact, left, right, rule }) => [fact, left, right, rule]);
        writings.push({ bind: quoting(bind), rows: textRows(CHASE_COLUMNS, cells), what: say`the chase` });
    }
}

function chaseText({ fact, left, right, rule }: ChaseRow): string {
    const premises = [left, right].filter(text => text !== '').join('; ');
    return say`${fact}\n${premises === '' ? '' : say`  from ${premises}\n`}  by ${rule}\n`;
}

function tellExplanations(target: ProvenanceTarget, answered: Results, checkpoint: () => void, writings: Writing[], said: string[]): void {
    const records: string[][] = [];
    for (const node of target.recorded ? recordedFacts(target, answered) : explainedFacts(target, answered, checkpoint)) {
        checkpoint();
        const text = explanationText(node);
        if (isFile(target)) records.push([node.fact, JSON.stringify(explanationTrees(node)[0]), text]);
        else said.push(`${node.fact}\n  ${text}\n`);
    }
    if (isFile(target))
        writings.push({ bind: quoting(target.bind), rows: textRows(EXPLANATION_COLUMNS, records), what: say`the explanations` });
}

function* explainedFacts(target: ProvenanceTarget, { database, listings, label }: Results, checkpoint: () => void): Iterable<FactNode> {
    const listed =
        target.predicates === undefined ? listings : predicatesOf(target, database.program).map(key => listPredicate(database, key));
    for (const { predicate, rows } of listed)
        for (const row of rows) yield explainFact(database, { predicate, row }, { label, checkpoint });
}

function predicatesOf({ predicates }: ProvenanceTarget, program: AnalysedProgram): PredicateKey[] {
    return (predicates ?? []).flatMap(name => [...program.predicates.values()].filter(one => one.name === name).map(({ key }) => key));
}

/** The facts of a chase that was written before, whose rows are those of an output. */
function recordedFacts({ bind, predicates }: ProvenanceTarget, { database, listings }: Results): FactNode[] {
    const location = { place: bind.place, span: bind.annotation.span };
    const chase =
        listings.find(({ columns }) => columns.map(({ name }) => name).join() === CHASE_COLUMNS.join()) ??
        listings.find(({ columns }) => columns.length === CHASE_COLUMNS.length) ??
        stop(
            'RT064',
            { location },
            '@explain',
            say`with chase=false needs an output with the columns of a chase: ${CHASE_COLUMNS.join(', ')}`,
        );
    const { dictionary } = chase;
    const cell = (row: number, column: number): string => {
        const id = chase.at(row, column);
        return dictionary.kind(id) === 'string' ? dictionary.stringOf(id) : '';
    };
    const rows = Array.from({ length: chase.count }, (_, row): RecordedRow => {
        const [fact, left, right, rule] = [cell(row, 0), cell(row, 1), cell(row, 2), cell(row, 3)];
        return { fact, left, right, rule, row: { predicate: chase.predicate, row: chase.rows[row] ?? -1 } };
    });
    const facts = recordedChase(database.program, rows, location);
    return predicates === undefined ? facts : facts.filter(({ fact }) => predicates.includes(predicateOf(fact)));
}

/** A header, and quotes around every value, unless the target says otherwise. */
function quoting(bind: Bind): Bind {
    return { ...bind, options: new Map([['useHeaders', 'true'], ['quoteMode', 'all'], ...bind.options]) };
}

function textRows(names: readonly string[], rows: readonly (readonly string[])[]): OutputRows {
    const dictionary = new Dictionary();
    return {
        dictionary,
        columns: names.map(name => ({ name, type: { kind: 'string' }, cast: false })),
        count: rows.length,
        at: (row, column) => dictionary.string(rows[row]?.[column] ?? ''),
        plainNames: true,
    };
}
