import type { RunStopped } from '#engine/reports/reports.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { bindKey } from '#language/analysis/binds.ts';
import type {
    AnalysisOptions,
    HeldTarget,
    KnownScripts,
    MissingFile,
    RefusedBind,
    UnansweredQuery,
} from '#language/analysis/program-facts.ts';
import type { AnalysedProgram, Bind, SourceSchema } from '#language/program/analysed-program.ts';
import type { Program } from '#language/program/program.ts';
import type { SqlReader } from '#language/program/sql-reading.ts';
import { triableQueries, triedQueries } from '#server/compute/tried-queries.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import {
    missingSource,
    peekSource,
    refusedBind,
    refusedQuery,
    targetOf,
    toldRefused,
    verifiedBinds,
    writtenTwice,
} from '#server/sources/connectors.ts';
import { heldTargets, writtenBinds } from './held-targets.ts';
import { hasSql, loadSqlReader } from './sql-reader.ts';

/** More missing files than this are not slips of the keyboard; looking at all their folders would take long. */
const MOST_MISSING = 100;

/** Analysis asks for columns, and an answer can only raise further questions about other binds. */
const ROUNDS = 4;

/** Records of texts that are looked at for numbers and empty cells. */
const RECORDS = 1000;

/** Further options for the analysis besides the columns of sources. */
type FurtherOptions = Pick<AnalysisOptions, 'schemas' | 'concept' | 'suppliedParameters'>;

/** Looks up the sources of a program, each once; several texts of a program may share it. */
export class SourceLookup {
    readonly #tellsMissing: boolean;
    readonly #tellsRefused: boolean;
    readonly #scripts: ((access: SourceAccess) => KnownScripts) | undefined;
    readonly #tries: typeof triedQueries;
    readonly #schemas = new Map<string, SourceSchema>();
    readonly #missingFiles = new Map<string, MissingFile>();
    readonly #refusedBinds = new Map<string, RefusedBind>();
    #heldTargets: ReadonlyMap<string, HeldTarget> = new Map();
    #unansweredQueries: ReadonlyMap<string, UnansweredQuery> = new Map();
    /** Binds that have been asked for, and those that have not been looked up. */
    readonly #asked = new Set<string>();
    #open: (readonly [Bind, SourceAccess])[] = [];
    /** Binds that have been verified. */
    readonly #verified = new Set<string>();
    /** The targets that they write. */
    readonly #targets = new Set<string>();
    /** Some were refused since it was asked what is known. */
    #isMoreRefused = false;
    #sql: SqlReader | undefined;

    /**
     * With `tellsMissing`, missing files are problems, for the first hundred of them. With `tellsRefused`, so are binds at which a run
     * would end, and targets that it would replace. So are queries that it cannot answer, which `tries` finds.
     */
    constructor({
        tellsMissing = false,
        tellsRefused = false,
        scripts,
        tries = triedQueries,
    }: {
        readonly tellsMissing?: boolean;
        readonly tellsRefused?: boolean;
        readonly scripts?: (access: SourceAccess) => KnownScripts;
        readonly tries?: typeof triedQueries;
    } = {}) {
        this.#tries = tries;
        this.#tellsMissing = tellsMissing;
        this.#tellsRefused = tellsRefused;
        this.#scripts = scripts;
    }

    /** Analyses a program with the columns of its sources, looked up as often as it takes. */
    async analysed(program: Program, access: SourceAccess, options: FurtherOptions = {}): Promise<AnalysedProgram> {
        if (hasSql(program)) this.#sql ??= await loadSqlReader();
        let analysed = this.known(program, access, options);
        for (let round = 0; round < ROUNDS && (await this.complete()); round++) analysed = this.known(program, access, options);
        if (!this.#tellsRefused) return analysed;
        this.#heldTargets = await heldTargets(writtenBinds(analysed), analysed, access);
        if (hasSql(program)) this.#unansweredQueries = await this.#tries(triableQueries(analysed), options.suppliedParameters);
        return this.#heldTargets.size + this.#unansweredQueries.size === 0 ? analysed : this.known(program, access, options);
    }

    /** Analyses a program with the columns that are known by now, and notes which others it asks for. */
    known(program: Program, access: SourceAccess, options: FurtherOptions = {}): AnalysedProgram {
        const schemas = new Map([...(options.schemas ?? []), ...this.#schemas]);
        const analysed = analyse(program, {
            ...options,
            schemas,
            missingFiles: this.#missingFiles,
            refusedBinds: this.#refusedBinds,
            heldTargets: this.#heldTargets,
            unansweredQueries: this.#unansweredQueries,
            ...(this.#sql && { sql: this.#sql }),
            ...(this.#scripts && { scripts: this.#scripts(access) }),
        });
        for (const bind of analysed.schemaNeeds) {
            if (this.#asked.has(bindKey(bind))) continue;
            this.#asked.add(bindKey(bind));
            this.#open.push([bind, access]);
        }
        if (this.#tellsRefused) this.#verify(verifiedBinds(analysed), access);
        return analysed;
    }

    #verify(binds: readonly Bind[], access: SourceAccess): void {
        for (const bind of binds) {
            const key = bindKey(bind);
            if (this.#verified.has(key)) continue;
            this.#verified.add(key);
            const target = targetOf(bind, access);
            this.#refuse(bind, refusedBind(bind, access) ?? (target === undefined ? undefined : writtenTwice(target, bind, this.#targets)));
        }
    }

    #refuse(bind: Bind, refused: RunStopped | undefined): void {
        if (refused === undefined) return;
        this.#refusedBinds.set(bindKey(bind), toldRefused(refused));
        this.#isMoreRefused = true;
    }

    /** Looks up what has been asked for; false where nothing is known now that was not. */
    async complete(): Promise<boolean> {
        const open = this.#open;
        this.#open = [];
        const isMoreRefused = this.#isMoreRefused;
        this.#isMoreRefused = false;
        for (const [bind, access] of open) {
            const schema = await peekSource(bind, access, RECORDS);
            if (schema === undefined && this.#tellsRefused) this.#refuse(bind, await refusedQuery(bind, access));
            if (schema !== undefined) this.#schemas.set(bindKey(bind), schema);
            const isSought = this.#tellsMissing && schema === undefined && this.#missingFiles.size < MOST_MISSING;
            const missing = await (isSought ? missingSource(bind, access) : undefined);
            if (missing !== undefined) this.#missingFiles.set(bindKey(bind), missing);
        }
        return open.length > 0 || isMoreRefused;
    }
}
