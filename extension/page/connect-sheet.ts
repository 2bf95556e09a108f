import { connectSource } from '#extension/sources/connecting.ts';
import type { Database, Source } from '#extension/sources/source.ts';
import {
    databaseAt,
    databaseOfFile,
    isAddress,
    isOfOtherKind,
    kindOf,
    SOURCE_KINDS,
    type SourceKind,
} from '#extension/sources/source-kinds.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { openFormSheet, type SheetField, type SheetValues } from './form-sheet.ts';
import { loginFields } from './login-fields.ts';

/** Asks for what leads to a source, by its kind; it can be tried before it is kept, and what is wrong is corrected where it stands. */
export function openConnectSheet(client: PlatformClient, connected: (sources: readonly Source[]) => void): void {
    openFormSheet({
        title: l10n.t('Connect a source'),
        fields: values => [
            {
                name: 'type',
                label: l10n.t('Kind'),
                kind: 'choice',
                choices: SOURCE_KINDS.map(({ type, label }) => ({ value: type, label })),
            },
            ...fieldsOf(kindIn(values)),
        ],
        label: l10n.t('Connect'),
        async act(values, signal) {
            const { sources, fault } = await connectSource(client, databaseIn(values), { keeps: values.keeps !== '' }, signal);
            if (fault === undefined) connected(sources);
            return fault;
        },
        other: {
            label: l10n.t('Test'),
            async act(values, signal) {
                // The one question about a source of which the services keep nothing.
                const program = await client.inferSchema({ body: { database: databaseIn(values), addBind: true } }, signal);
                const { binds } = await client.parseBinds({ body: { program } }, signal);
                const count = binds.input.length;
                return count === 1 ? l10n.t('It can be read: 1 table.') : l10n.t('It can be read: {0} tables.', countText(count));
            },
        },
    });
}

function kindIn({ type }: SheetValues): SourceKind {
    return SOURCE_KINDS.find(one => one.type === type) ?? kindOf('csv');
}

function fieldsOf(kind: SourceKind): readonly SheetField[] {
    const { type, label, endings, port } = kind;
    if (endings === undefined)
        return [
            {
                name: `address-${type}`,
                label: l10n.t('Host and port'),
                value: `localhost:${port}`,
                complaint: address => (isAddress(address) ? undefined : l10n.t('A host, and a port after a colon')),
            },
            { name: 'database', label: l10n.t('Name of the database') },
            ...loginFields(),
        ];
    return [
        {
            name: 'path',
            label: l10n.t('Path of the file'),
            hint: l10n.t('On the computer where the services run'),
            complaint(path) {
                return isOfOtherKind(path, kind) ? l10n.t('This is the name of a file of another kind than {0}', label) : undefined;
            },
        },
    ];
}

function databaseIn(values: SheetValues): Database {
    const kind = kindIn(values);
    const { path = '', database: databaseName = '', username = '', password = '' } = values;
    if (kind.endings !== undefined) return databaseOfFile(path, kind.type);
    return databaseAt(values[`address-${kind.type}`] ?? '', kind, { databaseName, username, password });
}
