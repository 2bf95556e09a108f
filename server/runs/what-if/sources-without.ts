import { askedValues } from '#engine/explain/find-facts.ts';
import type { Connectors, RowTarget, Source } from '#engine/sources/source.ts';
import type { AskedFact } from '../asked-fact.ts';

/** Sources that do not give some facts. */
export function sourcesWithout<C extends Connectors>(facts: readonly AskedFact[], connectors: C): C {
    return {
        ...connectors,
        source: bind => {
            const lacking = facts.filter(({ atom }) => atom.predicate === bind.predicate);
            const source = connectors.source(bind);
            return source === undefined || lacking.length === 0 ? source : withoutFacts(source, lacking);
        },
    };
}

function withoutFacts(source: Source, facts: readonly AskedFact[]): Source {
    return { name: source.name, load: (target, asked) => source.load(withoutRows(target, facts), asked) };
}

/** A target that takes all rows but some. It needs whole rows to tell them. */
function withoutRows({ needs: _, addRows: __, ...target }: RowTarget, facts: readonly AskedFact[]): RowTarget {
    const patterns = facts
        .filter(({ atom }) => atom.arguments.length === target.columns.length)
        .map(({ atom, place }) => askedValues({ dictionary: target.dictionary, parameters: new Map() }, atom, place));
    return {
        ...target,
        add: (row, line) => {
            const isLacking = patterns.some(pattern => pattern.every((value, column) => value === undefined || value === row[column]));
            if (!isLacking) target.add(row, line);
        },
    };
}
