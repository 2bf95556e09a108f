import { join } from 'node:path';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { serviceGrants } from '#server/files/grants.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import type { SourceAccess } from '../connector.ts';
import type { FoundTable } from './found-table.ts';
import type { Wanted } from './wanted-tables.ts';

/** A source as somebody describes it who wants to know what it holds: the `database` object of the platform (API 10.1). */
export interface SourceDescription extends Wanted {
    readonly host: string;
    /** 0 is the usual one of the type. */
    readonly port?: number;
    readonly databaseName: string;
    readonly username: string;
    readonly password: string;
    readonly schema?: string;
    readonly catalog?: string;
    readonly query?: string;
    readonly url?: string;
    readonly options?: Readonly<Record<string, string>>;
}

export interface SurveyQuestion {
    readonly type: string;
    readonly source: SourceDescription;
    /** Rows are counted, too. */
    readonly counts: boolean;
    /** Binds of CSV files have empty cells unknown where a column of numbers, days or truth values has some. */
    readonly marksUnknown?: boolean;
    /** Relative folders start here. */
    readonly currentFolder: string;
    readonly folders: RunFolders;
}

export interface Survey {
    /** By name. */
    readonly tables: readonly FoundTable[];
    readonly place: SourcePlace;
    readonly username: string;
    readonly password: string;
}

/** Where a source is, whatever it was described by. */
export interface SourcePlace {
    readonly host: string;
    readonly port: number | null;
    readonly databaseName: string;
}

export function given(text: string | undefined): string | undefined {
    return text === undefined || text.trim() === '' ? undefined : text;
}

/** What connectors need of a bind, and reach, for a source that no program binds. */
export function questioned({ type, currentFolder, folders }: SurveyQuestion, bind: Pick<Bind, 'options' | 'outer' | 'inner'>) {
    const span = { start: 0, end: 0 };
    const access: SourceAccess = {
        grants: { ...serviceGrants(folders), anyHost: true, grantLogin: () => say`give its password` },
        programFile: join(currentFolder, 'program'),
        currentFolder,
        parameters: () => undefined,
    };
    const whole: Bind = {
        ...bind,
        annotation: { name: 'bind', arguments: [], nameSpan: span, span },
        place: { file: '', offset: 0, line: 0, column: 0 },
        kind: 'bind',
        predicate: '',
        direction: 'input',
        type,
    };
    return { bind: whole, access };
}

/** A text that stands for itself in a bind. */
export function literal(text: string): string {
    return text.replaceAll('${', () => '$${');
}
