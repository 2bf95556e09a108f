import type { IncludeTarget, Inclusion, Module } from '#language/program/inclusion.ts';
import { printRuleText } from '#language/program/print.ts';
import type { Clause, Program } from '#language/program/program.ts';
import type { ProgramSource } from '../load-program.ts';
import { fits } from './fits.ts';
import type { Changes } from './read-changes.ts';

/** A program with rules and parameters that are others. Its text and those of its modules stay what they are. */
export function changedSource(source: ProgramSource, changes: Changes): ProgramSource {
    const { added, removedRules } = changes;
    const isKept = (clause: Clause): boolean => clause.kind !== 'rule' || !removedRules.has(printRuleText(clause));
    return withClauses(
        source,
        changes,
        isKept,
        added.filter(({ kind }) => kind === 'rule'),
    );
}

/** The same with facts that are others, as far as the program itself gives them. */
export function whollyChangedSource(source: ProgramSource, changes: Changes): ProgramSource {
    const { added, removedRules, removedFacts } = changes;
    const isKept = (clause: Clause): boolean =>
        clause.kind === 'fact'
            ? !removedFacts.some(fact => fits(clause, fact))
            : clause.kind !== 'rule' || !removedRules.has(printRuleText(clause));
    return withClauses(source, changes, isKept, added);
}

function withClauses(
    source: ProgramSource,
    { parameters }: Changes,
    isKept: (clause: Clause) => boolean,
    added: readonly Clause[],
): ProgramSource {
    return {
        ...source,
        linked: program => {
            const kept = keptClauses(source.linked(program), isKept);
            return { ...kept, clauses: [...kept.clauses, ...added] };
        },
        parameters: new Map([...source.parameters, ...parameters]),
    };
}

/** A program, and what it includes, with some clauses alone. */
function keptClauses(program: Program, isKept: (clause: Clause) => boolean): Program {
    const clauses = program.clauses.filter(isKept);
    const { inclusion } = program;
    return { ...program, clauses, ...(inclusion && { inclusion: keptInclusion(inclusion, isKept) }) };
}

function keptInclusion({ modules, targets }: Inclusion, isKept: (clause: Clause) => boolean): Inclusion {
    const kept = new Map<Module, Module>(modules.map(module => [module, { ...module, clauses: module.clauses.filter(isKept) }]));
    const target = (one: IncludeTarget): IncludeTarget =>
        one.kind === 'module' ? { ...one, module: kept.get(one.module) ?? one.module } : one;
    return {
        modules: [...kept.values()],
        targets: new Map(Array.from(targets, ([file, own]) => [file, new Map(Array.from(own, ([name, one]) => [name, target(one)]))])),
    };
}
