import { findGivenModules } from '#language/modules/given-modules.ts';
import { say } from '#language/program/say.ts';
import { afterTrivia, isWord } from '#language/syntax/characters.ts';
import type { ChainInput, ChainRunStep } from '#server/protocol/chain-run.ts';
import { type Concept, type ConceptKind, type ConceptReading, readConcept, withBinds } from './concept-reading.ts';

/** One concept of a chain, ready to be evaluated as a program of its own. */
export interface ChainStep extends ChainRunStep {
    readonly kind: ConceptKind;
    readonly scripts: Readonly<Record<string, string>>;
}

/** A concept and all that it depends on, dependencies first, the target last. */
export interface Chain {
    readonly steps: readonly ChainStep[];
    /** Names of all parameters that a step declares or uses. */
    readonly parameters: readonly string[];
    /** The default of each parameter that has one, as source text. */
    readonly defaults: ReadonlyMap<string, string>;
    readonly warnings: readonly string[];
}

export type PlannedChain =
    | { readonly ok: true; readonly chain: Chain }
    /** Concepts that depend on each other, the first one again at the end. */
    | { readonly ok: false; readonly fault: 'cycle'; readonly cycle: readonly string[] }
    /** Parameters without value, and the first concept that needs one of them. */
    | { readonly ok: false; readonly fault: 'parameters'; readonly names: readonly string[]; readonly concept: string };

/**
 * Plans the steps for a concept. Every step sees only output predicates of the others. A parameter has the value given for the run, else
 * the default of the declaring concept nearest to the target. `given` names the parameters with values.
 */
export function planChain(concepts: readonly Concept[], target: string, given: ReadonlySet<string>): PlannedChain {
    const nodes = new Nodes(concepts);
    const order = evaluationOrder(target, nodes);
    if ('cycle' in order) return { ok: false, fault: 'cycle', cycle: order.cycle };
    const defaults = nearestDefaults(target, nodes);
    const readings = order.names.map(name => nodes.reading(name));
    const used = new Set(readings.flatMap(({ usedParameters }) => [...usedParameters]));
    const missing = [...used].filter(name => !given.has(name) && !defaults.has(name)).sort();
    if (missing.length > 0) {
        const concept = order.names.find((_, i) => missing.some(name => readings[i]?.usedParameters.has(name))) ?? target;
        return { ok: false, fault: 'parameters', names: missing, concept };
    }
    const declared = readings.flatMap(({ parameters }) => [...parameters.keys()]);
    const steps = order.names.map(name => stepOf(name, nodes, defaults));
    const undefinedNames = new Set(
        steps.flatMap(({ inputs }) => inputs.flatMap(({ predicate, concept }) => (concept === undefined ? [predicate] : []))),
    );
    return {
        ok: true,
        chain: {
            steps,
            // A script gets all values that there are.
            parameters: [...new Set([...used, ...declared, ...(steps.some(({ kind }) => kind === 'script') ? given : [])])].sort(),
            defaults: new Map(Array.from(defaults, ([name, { value }]) => [name, value] as const)),
            warnings: [...undefinedNames].map(name => say`Predicate '${name}' is not defined; treated as empty`),
        },
    };
}

/** The concepts of a project by name; each is read when it is first asked for. */
class Nodes {
    readonly modules: readonly string[];
    readonly #concepts: ReadonlyMap<string, Concept>;
    readonly #byLetters: ReadonlyMap<string, string>;
    readonly #readings = new Map<string, ConceptReading>();
    readonly #find: ReturnType<typeof findGivenModules>;

    constructor(concepts: readonly Concept[]) {
        this.#concepts = new Map(concepts.map(concept => [concept.name, concept]));
        this.#byLetters = new Map(concepts.map(({ name }) => [name.toLowerCase(), name]));
        this.modules = concepts.flatMap(concept => (concept.type === 'logic' && isModule(concept.definition) ? [withBinds(concept)] : []));
        this.#find = findGivenModules(this.modules);
    }

    concept(name: string): Concept {
        const found = this.#concepts.get(name);
        if (found === undefined) throw new RangeError(`there is no concept '${name}'`);
        return found;
    }

    reading(name: string): ConceptReading {
        const reading = this.#readings.get(name) ?? readConcept(this.concept(name), this.#find);
        this.#readings.set(name, reading);
        return reading;
    }

    inputs(name: string): ChainInput[] {
        const { reads, kind } = this.reading(name);
        return reads.map(predicate => {
            // Names of tables do not depend on letter case.
            const concept = this.#concepts.has(predicate)
                ? predicate
                : kind === 'query'
                  ? this.#byLetters.get(predicate.toLowerCase())
                  : undefined;
            return { predicate, ...(concept !== undefined && { concept }) };
        });
    }

    dependencies(name: string): string[] {
        return [...new Set(this.inputs(name).flatMap(({ concept }) => concept ?? []))].sort();
    }
}

/** Behind comments, the first thing in the text. */
function isModule(definition: string): boolean {
    const start = afterTrivia(definition, 0);
    return definition.startsWith('@module', start) && !isWord(definition.charCodeAt(start + 7));
}

/** Every concept behind those that it depends on, or a cycle. */
function evaluationOrder(target: string, nodes: Nodes): { readonly names: readonly string[] } | { readonly cycle: readonly string[] } {
    const names = new Set<string>();
    const path: { readonly name: string; readonly left: string[] }[] = [];
    const onPath = new Set<string>();
    const enter = (name: string): void => {
        path.push({ name, left: nodes.dependencies(name).reverse() });
        onPath.add(name);
    };
    enter(target);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
        const next = top.left.pop();
        if (next === undefined) {
            names.add(top.name);
            onPath.delete(top.name);
            path.pop();
        } else if (onPath.has(next)) {
            const cycle = path.map(({ name }) => name);
            return { cycle: [...cycle.slice(cycle.indexOf(next)), next] };
        } else if (!names.has(next)) enter(next);
    }
    return { names: [...names] };
}

interface NearestDefault {
    readonly concept: string;
    /** As source text. */
    readonly value: string;
}

/** For each parameter the default of the concept nearest to the target: the target first, then level by level, by name. */
function nearestDefaults(target: string, nodes: Nodes): ReadonlyMap<string, NearestDefault> {
    const defaults = new Map<string, NearestDefault>();
    const met = new Set([target]);
    for (let level = [target]; level.length > 0; ) {
        for (const concept of level) {
            for (const [name, value] of nodes.reading(concept).parameters)
                if (value !== undefined && !defaults.has(name)) defaults.set(name, { concept, value });
        }
        const next = new Set(level.flatMap(concept => nodes.dependencies(concept)).filter(concept => !met.has(concept)));
        for (const concept of next) met.add(concept);
        level = [...next].sort();
    }
    return defaults;
}

function stepOf(name: string, nodes: Nodes, defaults: ReadonlyMap<string, NearestDefault>): ChainStep {
    const { scripts, definition } = nodes.concept(name);
    const { kind, text, declaredInputs, declaresOutput, includesModules, parameters } = nodes.reading(name);
    const inputs = nodes.inputs(name);
    const others = [...defaults].filter(([, { concept }]) => concept !== name);
    const added = [
        ...inputs.flatMap(({ predicate }) => (declaredInputs.has(predicate) ? [] : [`@input("${predicate}").`])),
        ...others.map(([parameter, { value }]) => `@param("${parameter}", ${value}).`),
        ...(declaresOutput ? [] : [`@output("${name}").`]),
    ];
    return {
        concept: name,
        kind,
        text: [text, ...added].join('\n'),
        ownStart: kind === 'query' ? text.indexOf(definition) : 0,
        ownLength: text.length,
        overridden: others.flatMap(([parameter]) => (parameters.has(parameter) ? [parameter] : [])),
        modules: includesModules ? nodes.modules : [],
        inputs,
        scripts,
    };
}
