import type { PostDirective, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Database } from '../contracts/database.ts';
import { inPhases, postProcess } from '../results/post-process.ts';
import { factText } from '../values/fact-text.ts';
import type { NullLabel } from '../values/text.ts';
import type { FactRow } from './match-rule.ts';

/** Tells of facts which `@post` leaves them out of the rows of their output; undefined for those that are among them. */
export function leftOutText({ program, relation, dictionary }: Database, label: NullLabel): (fact: FactRow) => string | undefined {
    const known = new Map<PredicateKey, readonly Filter[]>();
    const filtersOf = ({ key, post }: Predicate): readonly Filter[] => {
        const made = known.get(key);
        const rows = relation(key);
        if (made !== undefined || rows === undefined || post.length === 0) return made ?? [];
        const ordered = inPhases(post);
        const filters = ordered.map((directive, at) => ({
            directive,
            rows: new Set(postProcess(dictionary, rows, ordered.slice(0, at + 1))),
        }));
        known.set(key, filters);
        return filters;
    };
    return ({ predicate, row }) => {
        const described = program.predicates.get(predicate);
        const by = described && filtersOf(described).find(({ rows }) => !rows.has(row));
        if (described === undefined || by === undefined) return undefined;
        const values = relation(predicate)?.columns.map(column => column[row] ?? 0) ?? [];
        const post = `@post("${described.name}", "${directiveText(by.directive)}")`;
        return say`${factText(dictionary, described, values, label)} is derived, but ${post} leaves it out of the output`;
    };
}

/** A directive, and the rows that are left after it. */
interface Filter {
    readonly directive: PostDirective;
    readonly rows: ReadonlySet<number>;
}

function directiveText(directive: PostDirective): string {
    const columns = (zeroBased: readonly number[]): string => zeroBased.map(column => column + 1).join(', ');
    switch (directive.kind) {
        case 'prelimit':
        case 'limit':
            return `${directive.kind}(${directive.count})`;
        case 'min':
        case 'max':
            return `${directive.kind}(${columns(directive.columns)})`;
        case 'argmin':
        case 'argmax':
            return `${directive.kind}(${[directive.column + 1, ...(directive.groups.length === 0 ? [] : [`<${columns(directive.groups)}>`])].join(', ')})`;
        case 'certain':
        case 'unique':
        case 'orderby':
            return directive.kind;
    }
}
