import {
    type DataTransfer,
    type Disposable,
    DocumentDropOrPasteEditKind,
    DocumentPasteEdit,
    type DocumentPasteEditContext,
    l10n,
    languages,
    type Range,
    type TextDocument,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { KnownRelations } from './known-relations.ts';
import { kindOfText } from './source-text.ts';

const KIND = DocumentDropOrPasteEditKind.Text.append('rules');
const NAMES = { sql: 'SQL', rdf: 'RDF', owl: 'OWL' } as const;

/** SQL and RDF may be pasted into a program as rules, where the user chooses so; they are pasted as they are otherwise. */
export function offerPasteAsRules(server: Server, known: KnownRelations, subscriptions: Disposable[]): void {
    const provider = {
        async provideDocumentPasteEdits(
            document: TextDocument,
            _: readonly Range[],
            copied: DataTransfer,
            { only }: DocumentPasteEditContext,
        ): Promise<DocumentPasteEdit[]> {
            if (only !== undefined && !only.contains(KIND)) return [];
            const text = (await copied.get('text/plain')?.asString()) ?? '';
            const kind = kindOfText(text);
            if (kind === undefined) return [];
            const asked = { kind, text, uri: document.uri.toString(), name: 'result', tables: await known.tables(document) };
            const answer = await server.ask('rulelang/translate', asked);
            if (answer.kind === 'refused') return [];
            const edit = new DocumentPasteEdit(answer.program, l10n.t('Paste {0} as rules', NAMES[kind]), KIND);
            edit.yieldTo = [DocumentDropOrPasteEditKind.Text];
            return [edit];
        },
    };
    const metadata = { providedPasteEditKinds: [KIND], pasteMimeTypes: ['text/plain'] };
    subscriptions.push(languages.registerDocumentPasteEditProvider({ language: 'rulelang' }, provider, metadata));
}
