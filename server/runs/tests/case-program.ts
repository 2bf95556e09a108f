import type { TestCase } from '#language/analysis/test-cases.ts';
import type { Annotation, Clause, Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';

/**
 * The program that a test case is run with: the clauses of the case beside the modules, of which the facts go whose predicates the case
 * gives. Binds stay, since they tell columns; the run does not read them.
 */
export function caseProgram(linked: Program, { clauses, given }: Pick<TestCase, 'clauses' | 'given'>): Program {
    const { inclusion } = linked;
    const modules = (inclusion?.modules ?? []).map(module => ({
        ...module,
        clauses: module.clauses.filter(clause => clause.kind !== 'fact' || !given.has(clause.atom.predicate)),
    }));
    const left = [...clauses, ...modules.flatMap(module => module.clauses)];
    const undefinedNames = [...given].filter(name => !left.some(clause => defines(clause, name)));
    const inputs = readProgram(undefinedNames.map(name => `@input("${name}").`).join('\n'), linked.file).value.clauses;
    const own = [...clauses, ...inputs];
    if (inclusion === undefined) return { ...linked, clauses: own };
    const byFile = new Map(modules.map(module => [module.file, module]));
    const targets = [...inclusion.targets].map(
        ([file, named]) =>
            [
                file,
                new Map(
                    [...named].map(([name, target]) => {
                        const module = target.kind === 'module' ? byFile.get(target.module.file) : undefined;
                        return [name, module === undefined ? target : { kind: 'module' as const, module }] as const;
                    }),
                ),
            ] as const,
    );
    return { ...linked, clauses: own, inclusion: { modules, targets: new Map(targets) } };
}

function defines(clause: Clause, name: string): boolean {
    if (clause.annotations.some(annotation => supplies(annotation, name))) return true;
    if (clause.kind === 'fact') return clause.atom.predicate === name;
    return clause.kind === 'rule' && clause.head.kind === 'atoms' && clause.head.atoms.some(({ predicate }) => predicate === name);
}

function supplies({ name: annotation, arguments: [first] }: Annotation, name: string): boolean {
    return ['input', 'bind', 'qbind'].includes(annotation) && first?.kind === 'string' && first.value === name;
}
