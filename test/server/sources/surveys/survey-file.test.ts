import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Report } from '#engine/reports/reports.ts';
import type { FileType } from '#language/library/connected-sources.ts';
import type { Survey } from '#server/sources/surveys/source-description.ts';
import { surveyFile } from '#server/sources/surveys/survey-file.ts';
import { folderWith } from '../../../cli/command-line.ts';
import { reportOf } from '../../../support/describe-source.ts';

/** An AES-256 PDF, made by pypdf 6 from one page with two lines. */
const LOCKED = fileURLToPath(new URL('locked.pdf', import.meta.url));

function surveyed(folder: string, type: FileType, databaseName: string, password = ''): Promise<Survey> {
    const source = { host: '', databaseName, username: '', password };
    const folders = { read: [folder], write: [], denied: [] };
    return surveyFile({ type, source, counts: true, currentFolder: folder, folders }, type);
}

test('a password opens an encrypted PDF, and stands neither in its bind nor in a refusal', async () => {
    const folder = folderWith({});
    copyFileSync(LOCKED, join(folder, 'locked.pdf'));
    const { tables, password } = await surveyed(folder, 'binary', 'locked.pdf', 'open sesame');
    expect(tables.map(({ rows, bind }) => [rows, JSON.stringify(bind).includes('sesame')])).toEqual([[2, false]]);
    expect(password).toBe('open sesame');
    const refused = (given: string): Promise<Report | undefined> => reportOf(() => surveyed(folder, 'binary', 'locked.pdf', given));
    expect((await refused('wrong'))?.message).toBe("'locked.pdf' is encrypted with another password");
    expect((await refused(''))?.message).toBe("'locked.pdf' is encrypted; give its password");
});

test('an image is a table of lines without any', async () => {
    const folder = folderWith({ 'photo.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') });
    const { tables } = await surveyed(folder, 'binary', 'photo.png');
    expect(tables.map(({ name, rows, columns }) => [name, rows, columns.map(column => column.name)])).toEqual([
        ['photo', 0, ['text', 'line', 'page', 'file']],
    ]);
});

test('a tab separates the cells of a .tsv file, unless an option names another sign', async () => {
    const folder = folderWith({ 'a.tsv': 'name\tage\nann\t3\n', 'b.tsv': 'a,b;c\n1,2;3\n', 'c.csv': 'x,y\tz\n1,2\t3\n' });
    const columns = async (name: string, options?: Record<string, string>): Promise<readonly string[]> => {
        const source = { host: '', databaseName: name, username: '', password: '', ...(options && { options }) };
        const question = { type: 'csv', source, counts: false, currentFolder: folder, folders: { read: [folder], write: [], denied: [] } };
        return (await surveyFile(question, 'csv')).tables.flatMap(table => table.columns.map(column => column.name));
    };
    expect(await columns('a.tsv')).toEqual(['name', 'age']);
    expect(await columns('b.tsv', { delimiter: ';' })).toEqual(['a,b', 'c']);
    expect(await columns('c.csv')).toEqual(['x', 'y\tz']);
});
