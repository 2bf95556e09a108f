import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMariadb, startPostgresql, type TestServer } from './start-server.ts';

const STARTS: Readonly<Record<string, () => Promise<TestServer>>> = { '/postgresql': startPostgresql, '/mariadb': startMariadb };

/** One server of each kind for all files of a run: it is started when the first of them asks for it (`shop.ts`), and ended after the last. */
export default async function serversOnce(): Promise<() => Promise<void>> {
    const servers = new Map<string, Promise<TestServer>>();
    const door = createServer(async (request, response) => {
        const path = request.url ?? '';
        try {
            const server = servers.get(path) ?? STARTS[path]?.();
            if (server === undefined) throw new Error(`There is no server ${path}`);
            servers.set(path, server);
            const { port, socket } = await server;
            response.end(JSON.stringify({ port, socket }));
        } catch (error) {
            response.writeHead(500).end(String(error));
        }
    });
    await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve));
    process.env.DATABASE_SERVERS = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
    return async () => {
        door.closeAllConnections();
        door.close();
        for (const server of await Promise.allSettled(servers.values())) if (server.status === 'fulfilled') server.value.stop();
    };
}
