import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Calls, callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

export interface Concept {
    readonly id: string;
    readonly concept_name: string;
    readonly definition: string;
    readonly dependencies: readonly string[];
    readonly created_at: string;
    readonly updated_at: string;
    readonly created?: boolean;
    readonly [name: string]: unknown;
}

export const CITIES = 'city("Rome",2800000).\nbig_city(C) :- city(C,P), P > 1000000.\n@output("big_city").';

/** Calls about the concepts of project `p`, which has none before each test. */
export interface ConceptProject extends Calls {
    save(body: object): Promise<Concept>;
    sql(name: string, definition: string): Promise<Concept>;
    list(): Promise<Concept[]>;
    /** Definitions by name. */
    definitions(): Promise<Record<string, string>>;
    /** The token of the user. */
    token(): string;
}

/** Services with the project `p` of the user and the project `o` of the organization, for the tests of a file. */
export function conceptProject(): ConceptProject {
    let services: Services;
    const calls = callsTo(() => services);
    const { post, get, data } = calls;
    beforeAll(async () => {
        services = await startServices();
        await data(post('/projects/save', { project: { id: 'p', name: 'One' } }));
        await data(post('/projects/save', { project: { id: 'o', name: 'Two', scope: 'organization' } }));
    });
    afterAll(() => services.stop());
    beforeEach(() => data(post('/concepts/p/cleanup', {})));

    const save = (body: object): Promise<Concept> => data(post('/concepts/p/save', body));
    const list = (): Promise<Concept[]> => data(get('/concepts/p/list'));
    return {
        ...calls,
        save,
        sql: (name, definition) => save({ concept_type: 'sql', concept_name: name, definition }),
        list,
        token: () => services.token,
        definitions: async () => Object.fromEntries((await list()).map(({ concept_name, definition }) => [concept_name, definition])),
    };
}

/** Status, code and message of an answer that refuses. */
export async function refusal(answer: Promise<Answered>): Promise<unknown[]> {
    const { status, body } = await answer;
    return [status, body.code, body.message];
}
