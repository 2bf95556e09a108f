import type { PlanRead } from '../plan/plan.ts';
import type { ClusteredIndex } from '../relations/clustered-index.ts';
import type { Relation } from '../relations/relation.ts';
import type { Step } from './compile-read.ts';
import { relationOf } from './run-context.ts';
import type { VariantContext } from './variant-context.ts';

/** One of the literals, by the columns that are known and as a whole. */
interface Way {
    readonly index: ClusteredIndex;
    /** The values of the variable, by position in the index. */
    readonly found: Int32Array;
    readonly known: Int32Array;
    readonly knownSlots: readonly number[];
    readonly relation: Relation;
    readonly row: Int32Array;
    readonly slots: readonly number[];
}

/** Runs `next` for each value of the variable that the first of the reads binds and the others have to hold too. */
export function compileIntersection(reads: readonly PlanRead[], next: Step, context: VariantContext): Step {
    const { registers, run, search } = context;
    const { checkpoint } = run;
    const { values } = registers;
    const { variable } = reads[0]!.binds[0]!;
    const slot = registers.slot(variable);
    const ways = reads.map(read => wayOf(read, variable, context));
    const others = ways.map(way => ways.filter(other => other !== way));
    const holds = ({ relation, row, slots }: Way): boolean => {
        if (slots.length === 2) return relation.findKey2(values[slots[0]!]!, values[slots[1]!]!) >= 0;
        for (let i = 0; i < slots.length; i++) row[i] = values[slots[i]!]!;
        return relation.findKey(row) >= 0;
    };
    return () => {
        let chosen = 0;
        let start = 0;
        let end = Number.POSITIVE_INFINITY;
        for (let i = 0; i < ways.length; i++) {
            const { index, known, knownSlots } = ways[i]!;
            for (let k = 0; k < known.length; k++) known[k] = values[knownSlots[k]!]!;
            const first = known.length === 1 ? index.locate1(known[0]!) : index.locate(known);
            if (index.end - first >= end - start) continue;
            chosen = i;
            start = first;
            end = index.end;
        }
        const { found } = ways[chosen]!;
        const rest = others[chosen]!;
        for (let position = start; position < end; position++) {
            if (--checkpoint.left < 0) checkpoint.check();
            values[slot] = found[position]!;
            let i = 0;
            while (i < rest.length && holds(rest[i]!)) i++;
            if (i < rest.length) continue;
            next();
            if (search?.found) return;
        }
    };
}

function wayOf({ literal }: PlanRead, variable: string, { registers, run, variant }: VariantContext): Way {
    const { relation: key, terms } = variant.rule.literals[literal]!;
    const relation = relationOf(run, key);
    const names = terms.map(term => (term.kind === 'variable' ? term.name : ''));
    const columns = [...names.keys()].filter(column => names[column] !== variable);
    const index = relation.clustered(columns);
    return {
        index,
        found: index.column(names.indexOf(variable)),
        known: new Int32Array(columns.length),
        knownSlots: columns.map(column => registers.slot(names[column]!)),
        relation,
        row: new Int32Array(names.length),
        slots: names.map(name => registers.slot(name)),
    };
}
