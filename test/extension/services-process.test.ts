import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type RunningServices, ServicesFailed, type ServicesOptions, startServices } from '#extension/platform/services-process.ts';
import { CLI } from '../cli/command-line.ts';

const running: RunningServices[] = [];
afterEach(async () => {
    for (const services of running.splice(0)) await services.stop();
});

const lines: string[] = [];

function options(more: Partial<ServicesOptions> = {}): ServicesOptions {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-editor-'));
    return { command: CLI, folder, dataDir: join(folder, 'data'), port: 0, enginePort: 0, chatPort: 0, pathPrefix: '', ...more };
}

async function started(more?: Partial<ServicesOptions>): Promise<RunningServices> {
    const services = await startServices(options(more), line => lines.push(line));
    running.push(services);
    return services;
}

const refusal = (more: Partial<ServicesOptions>): Promise<unknown> => startServices(options(more), () => undefined).catch(reason => reason);

test('they answer at the addresses that they tell, and end cleanly', async () => {
    const { platform, engine, data, ended, page, stop } = await started({ pathPrefix: '/svc' });
    expect(platform).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/svc$/u);
    const token = readFileSync(join(data, 'auth/token'), 'utf8').trim();
    const answer = await fetch(`${platform}/api/v1/users/get-role`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'success' }]);
    expect((await fetch(`${engine}/actuator/health`)).status).toBe(200);
    const roleOf = async (address: string): Promise<unknown> => {
        const authorization = `Bearer ${new URL(address).hash.slice('#token='.length)}`;
        const said = await fetch(`${platform}/api/v1/users/get-role`, { headers: { authorization } });
        return ((await said.json()) as { readonly data: { readonly role: string } }).data.role;
    };
    const opened = await page('viewer');
    expect(opened.startsWith(`${platform}/#token=`)).toBe(true);
    expect([await roleOf(opened), await roleOf(await page('user'))]).toEqual(['viewer', 'user']);
    expect(await (await fetch(opened)).text()).toMatch(/^<!doctype html>/iu);
    await expect.poll(() => lines.filter(line => line.includes('/users/get-role'))).toHaveLength(3);
    expect(lines.join('')).not.toContain(token);
    await stop();
    expect(await ended).toBe('');
    expect(existsSync(join(data, 'endpoints.json'))).toBe(false);
    await expect(fetch(`${engine}/actuator/health`)).rejects.toThrow();
});

test('a port that is taken is told, and so is a directory', async () => {
    const other = createServer();
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    try {
        const failed = await refusal({ enginePort: port });
        expect(failed).toBeInstanceOf(ServicesFailed);
        expect(String(failed)).toContain(`port ${port} is taken by another program`);
    } finally {
        other.close();
    }
    const { data } = await started();
    expect(String(await refusal({ dataDir: data }))).toContain('the data directory is in use by process');
});

test('a command line that is not there is told with what to do', async () => {
    const failed = await refusal({ command: 'rulelang-that-is-nowhere' });
    expect(failed).toBeInstanceOf(ServicesFailed);
    expect(String(failed)).toMatch(
        /'rulelang-that-is-nowhere', which the setting rulelang\.platform\.command names, was not found\. Leave/u,
    );
    expect(String(await refusal({ command: tmpdir() }))).toContain('could not be started');
    const text = join(mkdtempSync(join(tmpdir(), 'rulelang-editor-')), 'cli.js');
    expect(String(await refusal({ command: text }))).toContain('Cannot find module');
});

test('what they keep is for their owner alone', async () => {
    const { data } = await started();
    expect(statSync(join(data, 'auth/token')).mode & 0o077).toBe(0);
});
