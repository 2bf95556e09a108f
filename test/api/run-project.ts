import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Calls, callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

export interface Run {
    readonly execution_id: string;
    readonly results: readonly unknown[][];
    readonly execution_time: number;
    readonly rows_processed: number;
    readonly [key: string]: unknown;
}

export interface Page {
    readonly rows: readonly unknown[][];
    readonly count: number;
    readonly [key: string]: unknown;
}

interface Concept {
    readonly concept_name: string;
    readonly row_count: number;
    readonly columns: readonly { name: string; type: string }[];
    readonly dependencies: readonly string[];
    readonly is_populated: boolean;
    readonly is_stale: boolean;
}

/** Calls about concepts that run, each test in a project of its own. */
export interface RunProject extends Calls {
    readonly services: Services;
    /** The id of the project. */
    readonly id: string;
    /** Saves a concept that is called like its first predicate, unless it has rules or says something else. */
    save(definition: string, more?: object): Promise<unknown>;
    asked(concept: string, body?: unknown): Promise<Answered>;
    run(concept: string, body?: unknown): Promise<Run>;
    rowsOf(concept: string, body?: unknown): Promise<Run['results']>;
    /** A run in the older form. */
    olderAsked(body: unknown): Promise<Answered>;
    fetched(query: string): Promise<Answered>;
    page(query: string): Promise<Page>;
    record(name: string): Promise<Concept>;
}

/** Cities with their sizes, read from a file. */
export const CITIES =
    '@bind("city", "csv useHeaders=true", "", "city.csv"). @model("city", "[\'name:string\', \'size:int\']"). city_source(N, S) :- city(N, S).';

/** Services with some files of data, for the tests of a file. */
export function runProject(): RunProject {
    let services: Services;
    let project = '';
    let projects = 0;
    const calls = callsTo(() => services);
    const { post, get, data } = calls;
    beforeAll(async () => {
        services = await startServices({
            'city.csv': 'name,size\nRome,2800000\nMilan,1400000\nPisa,90000\n',
            'gaps.csv': 'a,1\nb,\n,3\n',
        });
    });
    afterAll(async () => {
        expect(await services.stop()).toBe(0);
    });
    beforeEach(async () => {
        project = `p${++projects}`;
        await data(post('/projects/save', { project: { id: project, name: project } }));
    });

    const asked: RunProject['asked'] = (concept, body = {}) => post(`/concepts/${project}/run/${concept}`, body);
    const run: RunProject['run'] = (concept, body) => data(asked(concept, body));
    const fetched: RunProject['fetched'] = query => get(`/concepts/${project}/fetch?output_predicate=${query}`);
    return {
        ...calls,
        get services() {
            return services;
        },
        get id() {
            return project;
        },
        save: (definition, more = {}) => {
            const [, first] = /^(?:@param\([^)]*\)\. )*([a-z]\w*)\(/u.exec(definition) ?? [];
            const isNamed = definition.includes(':-') || definition.includes('@output') || first === undefined;
            return data(post(`/concepts/${project}/save`, { definition, ...(!isNamed && { output_predicate: first }), ...more }));
        },
        asked,
        run,
        rowsOf: async (concept, body) => (await run(concept, body)).results,
        olderAsked: body => post(`/concepts/anything/${project}/run`, body),
        fetched,
        page: query => data(fetched(query)),
        record: async name => {
            const found = (await data<Concept[]>(get(`/concepts/${project}/list`))).find(one => one.concept_name === name);
            if (found === undefined) throw new Error(`no concept '${name}'`);
            return found;
        },
    };
}

/** Status and code of an answer that refuses. */
export async function codeOf(answer: Promise<Answered>): Promise<readonly unknown[]> {
    const { status, body } = await answer;
    expect(body.data).toBeNull();
    return [status, body.code];
}
