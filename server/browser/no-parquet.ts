import { say } from '#language/program/say.ts';

/** A page that only writes files has no database with it, which writes Parquet. */
export const PARQUET_FILES = {
    write(): never {
        throw new Error(say`This page writes no Parquet`);
    },
};
