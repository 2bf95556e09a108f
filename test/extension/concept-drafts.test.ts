import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { conceptDrafts, saveOrKeep, Unreached } from '#extension/projects/concept-drafts.ts';
import { PlatformError } from '#server/client/platform-error.ts';

const URI = 'rulelang-concept:/local/user/p/rich.rulelang';
const VALID = 'rich(X) <- owns(X).';
const HALF = 'rich(X) <- ow';

let home: string;
/** What the services have, and whether they can be asked. */
let services: { text: string; isThere: boolean };
beforeEach(() => {
    home = fs.mkdtempSync(join(tmpdir(), 'rulelang-drafts-'));
    services = { text: VALID, isThere: true };
});
afterEach(() => fs.rmSync(home, { recursive: true }));

/** Each window reads the folder anew. */
const drafts = () => conceptDrafts(join(home, 'drafts'));

async function save(text: string, more: { readonly known?: string; readonly anyway?: boolean } = {}) {
    const outcome = await saveOrKeep(
        drafts(),
        { uri: URI, text, ...more },
        {
            async find() {
                if (!services.isThere) throw new Unreached('nobody answers');
                return { text: services.text };
            },
            async save() {
                const place = { line: 1, column: 11, end_line: 1, end_column: 14 };
                const diagnostics = [
                    { severity: 'warning', code: 'RL9001', message: 'w', line: 9, column: 9, end_line: 9, end_column: 9 },
                    { severity: 'error', code: 'RL0001', message: 'm', ...place },
                ];
                if (!text.endsWith('.')) throw new PlatformError(422, 'program_invalid', 'Program is not valid', { diagnostics });
                if (text.startsWith('secret')) throw new PlatformError(403, 'forbidden', 'You may not', null);
                services.text = text;
                return text.length;
            },
        },
    );
    return 'draft' in outcome ? outcome.draft.reason : outcome.saved;
}

test('what is no program yet is kept beside the concept, which keeps its definition, until it is one', async () => {
    const place = { line: 1, column: 11, end_line: 1, end_column: 14 };
    expect(await save(HALF)).toEqual({ kind: 'refused', message: 'Program is not valid', place });
    expect([services.text, drafts().of(URI)?.text]).toEqual([VALID, HALF]);
    expect(fs.statSync(join(home, 'drafts', fs.readdirSync(join(home, 'drafts'))[0] ?? '')).mode & 0o777).toBe(0o600);
    expect(await save(`${HALF}ns(X).`)).toBe(VALID.length);
    expect([services.text, drafts().of(URI)]).toEqual([VALID, undefined]);
});

test('what is written while the services are off is kept, and saved when they are back', async () => {
    services.isThere = false;
    expect(await save('rich(1).', { known: VALID })).toEqual({ kind: 'waiting', message: 'nobody answers' });
    services.isThere = true;
    expect(await save(drafts().of(URI)?.text ?? '')).toBe(8);
    expect([services.text, drafts().of(URI)]).toEqual(['rich(1).', undefined]);
});

test('a draft takes nothing from others unasked', async () => {
    await save(HALF);
    services.text = 'rich(2).';
    expect(await save('rich(1).')).toEqual({ kind: 'overtaken' });
    expect([services.text, drafts().of(URI)?.text]).toEqual(['rich(2).', 'rich(1).']);
    // Once more it is no other.
    expect(await save('rich(1).')).toEqual({ kind: 'overtaken' });
    expect(await save('rich(1).', { anyway: true })).toBe(8);
    expect([services.text, drafts().of(URI)]).toEqual(['rich(1).', undefined]);
});

test('nobody knows what was saved before a draft of a window that has not read it', async () => {
    services.isThere = false;
    await save('rich(1).');
    services.isThere = true;
    expect(await save('rich(1).')).toEqual({ kind: 'overtaken' });
    // What others have saved is what it says: there is nothing to decide.
    expect(await save(VALID)).toBe(VALID.length);
});

test('what may not be saved is told as ever, and a file that holds no draft is none', async () => {
    await expect(save('secret(1).')).rejects.toThrow('You may not');
    expect(drafts().of(URI)).toBeUndefined();
    await save(HALF);
    const [file = ''] = fs.readdirSync(join(home, 'drafts'));
    expect(drafts().uriIn(file)).toBe(URI);
    fs.writeFileSync(join(home, 'drafts', file), '{"text":');
    expect([drafts().of(URI), drafts().uriIn(file)]).toEqual([undefined, undefined]);
});
