import { type Execute, inMariadb, inPostgresql } from './start-server.ts';

/** A database of one test file, on a server that all files share, with an owner of its own. */
export interface Shop {
    readonly type: 'postgresql' | 'mariadb';
    readonly port: number;
    readonly database: string;
    readonly owner: string;
    /** Runs statements in the database as its owner, in MariaDB as the administrator. */
    readonly execute: Execute;
    /** Runs statements in the database as the administrator. */
    readonly administer: Execute;
    /** Removes all tables. */
    readonly clear: () => void;
}

/** Makes a database on the PostgreSQL of the run. Its names begin with that of the file, for users are those of the whole server. */
export async function postgresqlShop(file: string, password: string): Promise<Shop> {
    const [database, owner] = [`${file}_shop`, `${file}_app`];
    const { port } = await serverOf('postgresql');
    inPostgresql(port)(`CREATE ROLE ${owner} LOGIN PASSWORD ${literal(password)}; CREATE DATABASE ${database} OWNER ${owner};`);
    const administer = inPostgresql(port, database);
    const execute: Execute = statements => administer(`SET ROLE ${owner};\n${statements}`);
    const clear = (): void =>
        void execute(
            'SET client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS sales CASCADE;',
        );
    return { type: 'postgresql', port, database, owner, execute, administer, clear };
}

/** Makes a database on the MariaDB of the run. */
export async function mariadbShop(file: string, password: string, charset = 'utf8mb4'): Promise<Shop> {
    const [database, owner] = [`${file}_shop`, `${file}_app`];
    const { port, socket } = await serverOf('mariadb');
    const inServer = inMariadb(socket);
    const make = `CREATE DATABASE ${database} CHARACTER SET ${charset};`;
    inServer(
        `${make} CREATE USER ${owner}@'127.0.0.1' IDENTIFIED BY ${literal(password)}; GRANT ALL ON ${database}.* TO ${owner}@'127.0.0.1';`,
    );
    const execute: Execute = statements => inServer(`USE ${database};\n${statements}`);
    const clear = (): void => void inServer(`DROP DATABASE ${database}; ${make}`);
    return { type: 'mariadb', port, database, owner, execute, administer: execute, clear };
}

async function serverOf(kind: Shop['type']): Promise<{ readonly port: number; readonly socket: string }> {
    const answer = await fetch(`${process.env.DATABASE_SERVERS}/${kind}`);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { readonly port: number; readonly socket: string };
}

function literal(text: string): string {
    return `'${text.replaceAll("'", "''")}'`;
}
