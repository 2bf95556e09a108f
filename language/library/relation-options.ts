import { say } from '#language/program/say.ts';
import { nearestName } from './nearest-name.ts';
import { splitOptions, type WrittenValue } from './relation-option-text.ts';
import type { Endpoints, GraphFunctionName, NodeText, RelationQuestion } from './relation-question.ts';

/** A mistake in an option text, by the code of its message (13.9). */
export type OptionProblem =
    | { readonly code: 'RL7103'; readonly key: string; readonly nearest?: string }
    | { readonly code: 'RL7104'; readonly key: string }
    | { readonly code: 'RL7105'; readonly key: string; readonly expected: string }
    | { readonly code: 'RL7106'; readonly first: string; readonly second: string }
    | { readonly code: 'RL7107'; readonly key: string }
    /** `all_paths` has no effect; the question is answered all the same. */
    | { readonly code: 'RL7111' };

export interface ReadOptions {
    /** Absent where a problem leaves open what is asked. */
    readonly question?: RelationQuestion;
    readonly problems: readonly OptionProblem[];
}

const ENDPOINT_KEYS = ['source', 'target', 'sources', 'targets', 'source_target_pairs'] as const;

/** The option keys of each graph function (7.2). */
const OPTION_KEYS: Record<GraphFunctionName, readonly string[]> = {
    TC: [],
    PATHS: ['visited', 'all_paths', 'self_loops', 'max_depth', ...ENDPOINT_KEYS],
    ASP: ['visited', ...ENDPOINT_KEYS],
    SSSP: ['visited', ...ENDPOINT_KEYS],
    BFS: ['visited', ...ENDPOINT_KEYS],
    CC: ['sort_component', 'component_id'],
    WCC: [],
    TRI: [],
    DC: ['type'],
    BC: ['sample'],
    PR: ['damping', 'tolerance'],
};

export const GRAPH_FUNCTIONS: readonly string[] = Object.keys(OPTION_KEYS);

export function isGraphFunction(name: string): name is GraphFunctionName {
    return Object.hasOwn(OPTION_KEYS, name);
}

/** Reads the option text of a graph function (7.1). Parameters in the text have been replaced before. */
export function readRelationOptions(name: GraphFunctionName, text: string): ReadOptions {
    const reader = new OptionReader(name, text);
    const question = reader.question();
    const blocked = reader.problems.some(({ code }) => code !== 'RL7111');
    return blocked ? { problems: reader.problems } : { question, problems: reader.problems };
}

class OptionReader {
    readonly problems: OptionProblem[] = [];
    readonly #name: GraphFunctionName;
    readonly #values = new Map<string, WrittenValue>();

    constructor(name: GraphFunctionName, text: string) {
        this.#name = name;
        const known = OPTION_KEYS[name];
        for (const { key, value } of splitOptions(text)) {
            if (!known.includes(key)) {
                const nearest = nearestName(key, known);
                this.problems.push({ code: 'RL7103', key, ...(nearest === undefined ? {} : { nearest }) });
            } else if (this.#values.has(key)) {
                this.problems.push({ code: 'RL7104', key });
            } else {
                this.#values.set(key, value);
            }
        }
    }

    question(): RelationQuestion {
        const name = this.#name;
        switch (name) {
            case 'TC':
            case 'WCC':
            case 'TRI':
                return { function: name };
            case 'PATHS':
                return this.#paths();
            case 'ASP':
            case 'BFS':
                return { function: name, visited: this.#flag('visited'), endpoints: this.#endpoints() };
            case 'SSSP':
                return { function: name, visited: this.#flag('visited'), endpoints: this.#oneSource() };
            case 'CC':
                this.#flag('sort_component');
                return { function: name, componentId: this.#flag('component_id') };
            case 'DC':
                return { function: name, degree: this.#degree() };
            case 'BC': {
                const sample = this.#number('sample', say`a whole number of at least 1`, value => Number.isInteger(value) && value >= 1);
                return sample === undefined ? { function: name } : { function: name, sample };
            }
            case 'PR': {
                const damping = this.#number('damping', say`between 0 and 1, both excluded`, value => value > 0 && value < 1);
                const tolerance = this.#number('tolerance', say`greater than 0`, value => value > 0);
                return { function: name, damping: damping ?? 0.85, tolerance: tolerance ?? 0.0001 };
            }
        }
    }

    #paths(): RelationQuestion {
        const visited = this.#flag('visited');
        const allPaths = this.#flag('all_paths');
        const isDepth = (value: number): boolean => value === -1 || (Number.isInteger(value) && value >= 1);
        const depth = this.#number('max_depth', say`-1 or a whole number of at least 1`, isDepth);
        if (allPaths && !visited) this.problems.push({ code: 'RL7111' });
        return {
            function: 'PATHS',
            visited,
            allPaths: allPaths && visited,
            selfLoops: this.#flag('self_loops'),
            ...(depth === undefined || depth === -1 ? {} : { maxDepth: depth }),
            endpoints: this.#endpoints(),
        };
    }

    #oneSource(): Endpoints {
        const endpoints = this.#endpoints();
        if (endpoints.kind === 'pairs') return endpoints;
        const { sources } = endpoints;
        if (sources === undefined && !this.#values.has('source') && !this.#values.has('sources')) {
            this.problems.push({ code: 'RL7107', key: 'source' });
        } else if (sources !== undefined && sources.length !== 1) {
            this.problems.push({ code: 'RL7105', key: 'sources', expected: say`one node` });
        }
        return endpoints;
    }

    #endpoints(): Endpoints {
        this.#exclude('source', 'sources');
        this.#exclude('target', 'targets');
        const pairs = this.#pairs();
        for (const key of ENDPOINT_KEYS) if (key !== 'source_target_pairs') this.#exclude(key, 'source_target_pairs');
        const sources = this.#node('source') ?? this.#nodes('sources');
        const targets = this.#node('target') ?? this.#nodes('targets');
        if (pairs !== undefined) return { kind: 'pairs', pairs };
        return { kind: 'sets', ...(sources === undefined ? {} : { sources }), ...(targets === undefined ? {} : { targets }) };
    }

    #exclude(first: string, second: string): void {
        if (this.#values.has(first) && this.#values.has(second)) this.problems.push({ code: 'RL7106', first, second });
    }

    #flag(key: string): boolean {
        const text = this.#word(key);
        if (text === undefined) return this.#bad(key, "'true' or 'false'") ?? false;
        if (text !== 'true' && text !== 'false') this.#bad(key, "'true' or 'false'");
        return text === 'true';
    }

    #degree(): 'in' | 'out' | 'total' {
        const text = this.#word('type');
        if (text === 'in' || text === 'out' || text === 'total') return text;
        this.#bad('type', "'in', 'out' or 'total'");
        return 'total';
    }

    #number(key: string, expected: string, allowed: (value: number) => boolean): number | undefined {
        const text = this.#word(key);
        const value = text === undefined ? Number.NaN : readNumber(text);
        return value !== undefined && allowed(value) ? value : this.#bad(key, expected);
    }

    /** The only item of a value; quotes make no difference where a word is expected. */
    #word(key: string): string | undefined {
        const value = this.#values.get(key);
        return value?.kind === 'items' && !value.bracketed && value.items.length === 1 ? value.items[0]?.text : undefined;
    }

    #node(key: string): readonly NodeText[] | undefined {
        const value = this.#values.get(key);
        return value?.kind === 'items' && value.items.length === 1 ? value.items : this.#bad(key, say`one node`);
    }

    #nodes(key: string): readonly NodeText[] | undefined {
        const value = this.#values.get(key);
        return value?.kind === 'items' ? value.items : this.#bad(key, say`a list of nodes, such as [a, b]`);
    }

    #pairs(): readonly (readonly [NodeText, NodeText])[] | undefined {
        const value = this.#values.get('source_target_pairs');
        return value?.kind === 'pairs' ? value.pairs : this.#bad('source_target_pairs', say`a list of pairs, such as [a:b, c:d]`);
    }

    /** Notes that a value which is written cannot be read. */
    #bad(key: string, expected: string): undefined {
        if (this.#values.has(key)) this.problems.push({ code: 'RL7105', key, expected });
        return undefined;
    }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/u;

/** The number that an option text writes; undefined for any other text. */
export function readNumber(text: string): number | undefined {
    if (!NUMBER.test(text)) return undefined;
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
}
