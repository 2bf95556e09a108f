import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { readSeverities, type Severities, USUAL_SEVERITIES } from '#language/reporting/severities.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';

/** The contents of a project's file; paths are as it writes them, from its folder. */
export interface ProjectFile {
    readonly severities: Severities;
    /** Folders in which modules are looked for. */
    readonly roots: readonly PlacedText[];
    /** The programs that are run. */
    readonly programs: readonly PlacedText[];
    /** The places of the test files. */
    readonly tests: readonly PlacedText[];
    readonly needs: ProjectNeeds;
    readonly complaints: readonly Complaint[];
}

/** Access that runs need and the file cannot grant: the user who runs the programs does. */
export interface ProjectNeeds {
    readonly read: readonly PlacedText[];
    readonly write: readonly PlacedText[];
    readonly net: readonly PlacedText[];
    readonly secrets: readonly PlacedText[];
    /** The place of the setting if it says that programs run scripts, or ask a language model. */
    readonly python?: Span;
    readonly model?: Span;
}

export interface PlacedText {
    readonly text: string;
    readonly span: Span;
}

/** A sentence without a dot, about a place of the file. */
export interface Complaint {
    readonly message: string;
    readonly span: Span;
}

const LISTS = ['roots', 'programs', 'tests'] as const;
const NEEDED_LISTS = ['read', 'write', 'net', 'secrets'] as const;
const NEEDED_SWITCHES = ['python', 'model'] as const;
const SETTINGS = ['$schema', ...LISTS, 'problems', 'needs'];
const NOTHING_NEEDED: ProjectNeeds = { read: [], write: [], net: [], secrets: [] };
export const NO_PROJECT_FILE: ProjectFile = {
    severities: USUAL_SEVERITIES,
    roots: [],
    programs: [],
    tests: [],
    needs: NOTHING_NEEDED,
    complaints: [],
};

/** Reads the text of the file; what is right in it counts, whatever else is wrong. */
export function readProjectFile(text: string): ProjectFile {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { disallowComments: true });
    const [error] = errors;
    if (root === undefined || error !== undefined) {
        const { offset = 0, length = 0 } = error ?? {};
        const reason = error === undefined ? say`it is empty` : printParseErrorCode(error.error);
        return {
            ...NO_PROJECT_FILE,
            complaints: [{ message: say`is not JSON: ${reason}`, span: { start: offset, end: offset + length } }],
        };
    }
    return new Reading(root).file;
}

class Reading {
    readonly #root: Node;
    readonly #complaints: Complaint[] = [];

    constructor(root: Node) {
        this.#root = root;
    }

    get file(): ProjectFile {
        this.#onlyFields([], SETTINGS);
        const [roots, programs, tests] = LISTS.map(name => this.#texts([name])) as [PlacedText[], PlacedText[], PlacedText[]];
        const severities = this.#severities();
        return { severities, roots, programs, tests, needs: this.#needs(), complaints: this.#complaints };
    }

    #severities(): Severities {
        this.#onlyFields(['problems'], ['severity']);
        const node = this.#at('problems', 'severity');
        if (node === undefined) return USUAL_SEVERITIES;
        const { severities, complaints } = readSeverities(getNodeValue(node));
        for (const message of complaints) this.#complain(message, node);
        return severities;
    }

    #needs(): ProjectNeeds {
        this.#onlyFields(['needs'], [...NEEDED_LISTS, ...NEEDED_SWITCHES]);
        const [read, write, net, secrets] = NEEDED_LISTS.map(name => this.#texts(['needs', name])) as [
            PlacedText[],
            PlacedText[],
            PlacedText[],
            PlacedText[],
        ];
        for (const { text, span } of net)
            if (hostGrant(text) === undefined)
                this.#complaints.push({ message: say`'${text}' is no host such as db.example.org or localhost:5432`, span });
        const [python, model] = NEEDED_SWITCHES.map(name => this.#switch(['needs', name]));
        const hosts = net.filter(({ text }) => hostGrant(text) !== undefined);
        return { read, write, net: hosts, secrets, ...(python && { python }), ...(model && { model }) };
    }

    #at(...path: readonly string[]): Node | undefined {
        return this.#root.type === 'object' ? findNodeAtLocation(this.#root, [...path]) : undefined;
    }

    #texts(path: readonly string[]): PlacedText[] {
        const node = this.#at(...path);
        if (node === undefined) return [];
        const items = node.type === 'array' ? (node.children ?? []) : undefined;
        if (items?.every(({ type }) => type === 'string') !== true) this.#complain(say`'${path.join('.')}' is a list of texts`, node);
        return (items ?? []).flatMap(item => (item.type === 'string' ? [{ text: item.value as string, span: spanOf(item) }] : []));
    }

    /** Returns the place of a setting that is switched on. */
    #switch(path: readonly string[]): Span | undefined {
        const node = this.#at(...path);
        if (node !== undefined && node.type !== 'boolean') this.#complain(say`'${path.join('.')}' is true or false`, node);
        return node?.value === true ? spanOf(node) : undefined;
    }

    #onlyFields(path: readonly string[], known: readonly string[]): void {
        const node = path.length === 0 ? this.#root : this.#at(...path);
        if (node === undefined) return;
        if (node.type !== 'object') {
            this.#complain(say`The settings are written as {"problems": {"severity": {"RL9001": "off"}}}`, node);
            return;
        }
        for (const property of node.children ?? []) {
            const [key] = property.children ?? [];
            const name = String(key?.value);
            if (key === undefined || known.includes(name)) continue;
            const meant = nearestName(name, known) ?? (known.length === 1 ? known[0] : undefined);
            const hint = meant === undefined ? say`; there are ${known.join(', ')}` : say`; did you mean '${meant}'?`;
            this.#complain(say`There is no setting '${[...path, name].join('.')}'${hint}`, key);
        }
    }

    #complain(message: string, node: Node): void {
        this.#complaints.push({ message, span: spanOf(node) });
    }
}

function spanOf({ offset, length }: Node): Span {
    return { start: offset, end: offset + length };
}
