import { type Disposable, type Event, EventEmitter } from 'vscode';
import type { Connection } from '#extension/platform/connection.ts';
import type { Connections } from '#extension/platform/connections.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';

type Answer<N extends keyof PlatformClient> = Awaited<ReturnType<PlatformClient[N]>>;
export type Project = Answer<'listProjects'>[number];
export type Concept = Answer<'listConcepts'>[number];
export type ConceptRun = Answer<'listRuns'>[number];
/** A dashboard without its definition, and the scope of its project. */
export type Dashboard = Answer<'listDashboards'>[number] & { readonly scope: Scope };
export type Scope = 'user' | 'organization';

/** A project of the services that are connected. */
export interface ProjectPlace {
    readonly scope: Scope;
    readonly id: string;
}

/** The contents of a project, concepts by name. */
export interface ProjectContents {
    readonly concepts: readonly Concept[];
    /** The latest first. */
    readonly runs: readonly ConceptRun[];
    /** By name. */
    readonly dashboards: readonly Dashboard[];
}

/** The projects of the active connection, as they were when they were last asked for. */
export interface Projects {
    connection(): Connection | undefined;
    /** The connection that a document comes from, once it can be used. */
    reach(id: string): Promise<Connection | undefined>;
    list(): Promise<readonly Project[]>;
    contents(place: ProjectPlace): Promise<ProjectContents>;
    concept(place: ProjectPlace, name: string): Promise<Concept | undefined>;
    /** Forgets the answers, so that later requests ask the services. */
    refresh(): void;
    readonly changed: Event<void>;
}

const SCOPES: readonly Scope[] = ['user', 'organization'];
const RUNS = 200;
/** Milliseconds between two looks at what runs. */
const FOLLOWED = 2_000;

export function placeOf({ id, scope }: Project): ProjectPlace {
    return { id, scope: scope as Scope };
}

export function placeOfConcept({ scope, project_id }: Concept): ProjectPlace {
    return { scope: scope as Scope, id: project_id };
}

export function placeOfDashboard({ scope, project_id }: Dashboard): ProjectPlace {
    return { scope, id: project_id };
}

export function createProjects(connections: Connections, subscriptions: Disposable[]): Projects & { follow(isSeen: () => boolean): void } {
    const changes = new EventEmitter<void>();
    let listed: Promise<readonly Project[]> | undefined;
    const held = new Map<string, Promise<ProjectContents>>();
    const refresh = (): void => {
        listed = undefined;
        held.clear();
        changes.fire();
    };
    subscriptions.push(changes, connections.changed(refresh));
    const client = (): PlatformClient | undefined => connections.active()?.client;
    const read = async ({ scope, id }: ProjectPlace): Promise<ProjectContents> => {
        const asked = client();
        if (asked === undefined) return { concepts: [], runs: [], dashboards: [] };
        const call = { path: { project_id: id }, query: { scope } };
        const [concepts, runs, dashboards] = await Promise.all([
            asked.listConcepts(call),
            asked.listRuns({ ...call, query: { ...call.query, limit: RUNS } }),
            asked.listDashboards(call),
        ]);
        return {
            concepts: concepts.toSorted((a, b) => (a.concept_name < b.concept_name ? -1 : 1)),
            runs,
            dashboards: dashboards.map(one => ({ ...one, scope })).sort((a, b) => a.name.localeCompare(b.name)),
        };
    };
    const contents = (place: ProjectPlace): Promise<ProjectContents> => {
        const key = `${place.scope}/${place.id}`;
        const known = held.get(key);
        if (known !== undefined) return known;
        const asked = read(place);
        held.set(key, asked);
        // What could not be read is asked for again.
        asked.catch(() => held.get(key) === asked && held.delete(key));
        return asked;
    };
    return {
        connection: () => connections.active(),
        reach: id => connections.reach(id),
        list() {
            const asked = client();
            if (asked === undefined) return Promise.resolve([]);
            listed ??= asked.listProjects({ query: { scopes: SCOPES.join(',') } });
            const reading = listed;
            reading.catch(() => {
                if (listed === reading) listed = undefined;
            });
            return reading;
        },
        contents,
        concept: async (place, name) => (await contents(place)).concepts.find(({ concept_name }) => concept_name === name),
        refresh,
        changed: changes.event,
        follow(isSeen) {
            let seen = '';
            const timer = setInterval(async () => {
                const asked = client();
                if (asked === undefined || !isSeen()) return;
                // If the services cannot be asked, the next request of the user reports it.
                const now = await asked.listRunning({}).catch(() => []);
                const state = JSON.stringify(now.map(({ progress: _, ...one }) => one));
                if (state !== seen) refresh();
                seen = state;
            }, FOLLOWED);
            subscriptions.push({ dispose: () => clearInterval(timer) });
        },
    };
}
