import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A database server that the tests have started, on a free port of this machine. */
export interface TestServer {
    readonly port: number;
    readonly pid: number;
    /** Where on this machine it listens besides, which is a file of MariaDB and a folder of PostgreSQL. */
    readonly socket: string;
    /** Runs statements as the administrator, with the server's own client. */
    readonly execute: Execute;
    readonly stop: () => void;
}

export type Execute = (statements: string) => string;

const PASSWORD = 'canary-7Q"\'2x';

/** Milliseconds in which a server has to answer, on a machine that does other things. */
const PATIENCE = 300_000;

const POSTGRESQL = '/usr/lib/postgresql';

/** A program of PostgreSQL itself: those in `/usr/bin` are scripts that look for it, and take longer than it does. */
function postgresqlProgram(name: string): string {
    const [version = ''] = readdirSync(POSTGRESQL);
    return join(POSTGRESQL, version, 'bin', name);
}

export async function startPostgresql(): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-pg-'));
    const data = join(folder, 'data');
    const asUser = ownedBy('postgres', folder);
    writeFileSync(join(folder, 'password'), PASSWORD, { mode: 0o644 });
    execFileSync(
        ...asUser(postgresqlProgram('initdb'), [
            '-D',
            data,
            '-U',
            'admin',
            '-A',
            'scram-sha-256',
            '-E',
            'UTF8',
            '--no-sync',
            '--no-locale',
            `--pwfile=${folder}/password`,
        ]),
        { stdio: 'pipe', cwd: '/' },
    );
    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off', 'max_connections=100'];
    const server = spawn(
        ...asUser(postgresqlProgram('postgres'), ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])]),
        { stdio: 'ignore', cwd: '/' },
    );
    return started(server, folder, { port, socket: folder, execute: inPostgresql(port) });
}

/** Runs statements in a database of a PostgreSQL that the tests have started. */
export function inPostgresql(port: number, database = 'postgres'): Execute {
    const env = { ...process.env, PGPASSWORD: PASSWORD, PGSSLMODE: 'disable' };
    const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'admin', '-d', database, '-v', 'ON_ERROR_STOP=1', '-q', '-t', '-A', '-X'];
    const psql = postgresqlProgram('psql');
    return statements => execFileSync(psql, args, { input: statements, env, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

export async function startMariadb(): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-my-'));
    const data = join(folder, 'data');
    const asUser = ownedBy('mysql', folder);
    execFileSync(
        ...asUser('/usr/bin/mariadb-install-db', [
            `--datadir=${data}`,
            '--auth-root-authentication-method=normal',
            '--skip-test-db',
            '--no-defaults',
        ]),
        { stdio: 'pipe', cwd: '/' },
    );
    const port = await freePort();
    const socket = join(folder, 'socket');
    const args = [
        '--no-defaults',
        `--datadir=${data}`,
        `--socket=${socket}`,
        '--bind-address=127.0.0.1',
        `--port=${port}`,
        '--innodb-flush-log-at-trx-commit=0',
        '--innodb-flush-method=nosync',
        '--sync-frm=0',
        `--pid-file=${folder}/pid`,
    ];
    const server = spawn(...asUser('/usr/sbin/mariadbd', args), { stdio: 'ignore', cwd: '/' });
    return started(server, folder, { port, socket, execute: inMariadb(socket) });
}

/** Runs statements in a MariaDB that the tests have started. */
export function inMariadb(socket: string): Execute {
    const args = [
        '--no-defaults',
        `--socket=${socket}`,
        '-u',
        'root',
        '--default-character-set=utf8mb4',
        '--skip-column-names',
        '--batch',
        '--raw',
    ];
    return statements => execFileSync('/usr/bin/mariadb', args, { input: statements, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Servers refuse to run as root, and run as the user of their package then. */
function ownedBy(user: string, folder: string): (file: string, args: readonly string[]) => [string, string[]] {
    // A server does not outlive the process that has started it, however that ends.
    const bound = '--pdeathsig=KILL';
    if (userInfo().uid !== 0) return (file, args) => ['setpriv', [bound, '--', file, ...args]];
    const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
    chownSync(folder, id('-u'), id('-g'));
    return (file, args) => ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--init-groups', bound, '--', file, ...args]];
}

async function started(
    server: ChildProcess,
    folder: string,
    reached: Pick<TestServer, 'port' | 'socket' | 'execute'>,
): Promise<TestServer> {
    const stop = (): void => {
        server.kill('SIGKILL');
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    };
    const end = Date.now() + PATIENCE;
    for (;;) {
        try {
            reached.execute('select 1;');
            return { ...reached, pid: server.pid ?? 0, stop };
        } catch (error) {
            if (Date.now() > end || server.exitCode !== null) {
                stop();
                throw error;
            }
            await new Promise(resolve => setTimeout(resolve, 100));
        }
    }
}

function freePort(): Promise<number> {
    return new Promise((resolve, reject) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const address = server.address();
            server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))));
        });
    });
}
