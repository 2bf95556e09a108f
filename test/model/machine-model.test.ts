import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineModel } from '#server/model/machine-model.ts';

const withFile = (dataDirectory: string) =>
    machineModel({ environment: {}, hosts: [], grantHost: address => address, allow: () => undefined, dataDirectory }).configuration;

test('a data directory that cannot be opened is the reason why there is no model', () => {
    const file = join(fs.mkdtempSync(join(tmpdir(), 'rulelang-model-')), 'data');
    fs.writeFileSync(file, 'no directory');
    expect(withFile(file)).toEqual({ ok: false, reason: expect.stringContaining(file) });
});
