import { nearestName } from '#language/library/nearest-name.ts';
import type { Module } from '#language/program/inclusion.ts';
import { readProgram } from '#language/read-program.ts';
import { type FindModule, moduleNames } from './include.ts';

/**
 * Finds modules in texts that come with a program. A `@module` starts a module, which runs to the next one or to the end
 * of its text; what stands before the first is in none. Of two modules with one name the first counts.
 */
export function findGivenModules(texts: readonly string[]): FindModule {
    const modules = new Map<string, Module>();
    for (const text of texts) {
        for (const part of partsOf(text)) {
            const file = `module ${modules.size + 1}`;
            const { value, problems } = readProgram(part, file);
            const name = moduleNames(value.clauses).own;
            if (name !== undefined && !modules.has(name)) modules.set(name, { file, clauses: value.clauses, problems });
        }
    }
    return name => {
        const module = modules.get(name);
        if (module !== undefined) return { kind: 'module', module };
        const nearest = nearestName(name, modules.keys());
        return { kind: 'missing', looked: [], ...(nearest !== undefined && { nearest }) };
    };
}

/** The texts of the modules in a text. */
function partsOf(text: string): string[] {
    const starts = readProgram(text, '').value.clauses.flatMap(clause =>
        clause.annotations.some(({ name }) => name === 'module') ? [clause.place.offset + clause.span.start] : [],
    );
    return starts.map((start, i) => text.slice(start, starts[i + 1]));
}
