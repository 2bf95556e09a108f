import { analyse } from '#language/analysis/analyse.ts';
import { bindKey } from '#language/analysis/binds.ts';
import type { AnalysisOptions, KnownScripts, MissingFile } from '#language/analysis/program-facts.ts';
import type { AnalysedProgram, Bind, SourceSchema } from '#language/program/analysed-program.ts';
import type { Program } from '#language/program/program.ts';
import type { SqlReader } from '#language/program/sql-reading.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { missingSource, peekSource } from '#server/sources/connectors.ts';
import { hasSql, loadSqlReader } from './sql-reader.ts';

/** More missing files than this are no slips of the keyboard; looking at all their folders would take long. */
const MOST_MISSING = 100;

/** Analysis asks for columns, and an answer can only raise further questions about other binds. */
const ROUNDS = 4;

/** What analysis is told besides what sources show. */
type FurtherOptions = Pick<AnalysisOptions, 'schemas' | 'concept' | 'suppliedParameters'>;

/** What a program's sources show, each looked up once; several texts of a program may share it. */
export class SourceLookup {
    readonly #tellsMissing: boolean;
    readonly #scripts: ((access: SourceAccess) => KnownScripts) | undefined;
    readonly #schemas = new Map<string, SourceSchema>();
    readonly #missingFiles = new Map<string, MissingFile>();
    /** Binds that have been asked for, and those that have not been looked up. */
    readonly #asked = new Set<string>();
    #open: (readonly [Bind, SourceAccess])[] = [];
    #sql: SqlReader | undefined;

    /** Where `tellsMissing`, files that are not there are problems; the first hundred are looked for. */
    constructor({
        tellsMissing = false,
        scripts,
    }: { readonly tellsMissing?: boolean; readonly scripts?: (access: SourceAccess) => KnownScripts } = {}) {
        this.#tellsMissing = tellsMissing;
        this.#scripts = scripts;
    }

    /** Analyses a program with the columns of its sources, looked up as often as it takes. */
    async analysed(program: Program, access: SourceAccess, options: FurtherOptions = {}): Promise<AnalysedProgram> {
        if (hasSql(program)) this.#sql ??= await loadSqlReader();
        let analysed = this.known(program, access, options);
        for (let round = 0; round < ROUNDS && (await this.complete()); round++) analysed = this.known(program, access, options);
        return analysed;
    }

    /** Analyses a program with the columns that are known by now, and notes which others it asks for. */
    known(program: Program, access: SourceAccess, options: FurtherOptions = {}): AnalysedProgram {
        const schemas = new Map([...(options.schemas ?? []), ...this.#schemas]);
        const analysed = analyse(program, {
            ...options,
            schemas,
            missingFiles: this.#missingFiles,
            ...(this.#sql && { sql: this.#sql }),
            ...(this.#scripts && { scripts: this.#scripts(access) }),
        });
        for (const bind of analysed.schemaNeeds) {
            if (this.#asked.has(bindKey(bind))) continue;
            this.#asked.add(bindKey(bind));
            this.#open.push([bind, access]);
        }
        return analysed;
    }

    /** Looks up what has been asked for; false where nothing was. */
    async complete(): Promise<boolean> {
        const open = this.#open;
        this.#open = [];
        for (const [bind, access] of open) {
            const schema = await peekSource(bind, access);
            if (schema !== undefined) this.#schemas.set(bindKey(bind), schema);
            const isSought = this.#tellsMissing && schema === undefined && this.#missingFiles.size < MOST_MISSING;
            const missing = await (isSought ? missingSource(bind, access) : undefined);
            if (missing !== undefined) this.#missingFiles.set(bindKey(bind), missing);
        }
        return open.length > 0;
    }
}
