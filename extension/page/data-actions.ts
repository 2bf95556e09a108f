import { forgetPasswords } from '#extension/sources/connecting.ts';
import type { Source } from '#extension/sources/source.ts';
import { isFileType } from '#extension/sources/source-kinds.ts';
import { placeOf } from '#extension/sources/source-list.ts';
import type { PlaceOfSources } from '#extension/sources/source-place.ts';
import { toClipboard } from '#extension/surfaces/clipboard.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { type MenuItem, openMenu } from '#extension/surfaces/menu.ts';
import { openAskSheet } from './ask-sheet.ts';
import { openConnectSheet } from './connect-sheet.ts';
import type { DataActions } from './data-surface.ts';
import { openInferSheet } from './infer-sheet.ts';
import { openBindSheet } from './insert-bind.ts';
import { scopeOf } from './scope.ts';
import { hasProject, type ServicesHost } from './section.ts';

/** What is done with sources, of which `all` are known. */
export function dataActions(host: ServicesHost, all: readonly Source[]): DataActions {
    const { client, mayChange, announce, refresh, go } = host;
    const copy = toClipboard(announce);
    const copyBind = ({ bind_annotation: bind }: Source): void => copy(bind, l10n.t('The bind is copied.'));
    const forgetPassword = (name: string, place: string): void =>
        openAskSheet({
            title: l10n.t("Forget the password of '{0}'?", name),
            text: l10n.t('It is asked for each time from now on. Concepts that bind the source cannot be run until it is kept again.'),
            label: l10n.t('Forget password'),
            async act() {
                await forgetPasswords(
                    client,
                    all.filter(source => placeOf(source) === place),
                );
                announce(l10n.t('The password of {0} is forgotten.', name));
                refresh();
                return undefined;
            },
        });
    /** What is done with a place or a part of it. */
    const ofSources = (sources: readonly [Source, ...Source[]]): readonly MenuItem[] => {
        const [first] = sources;
        return [
            { label: l10n.t('Infer a program'), choose: () => openInferSheet(host, sources) },
            ...(isFileType(first.database_type)
                ? []
                : [{ label: l10n.t('Forget password'), choose: () => forgetPassword(first.database_name, placeOf(first)) }]),
            { label: l10n.t('Forget the source'), choose: () => forget(host, sources) },
        ];
    };
    return {
        connect: () =>
            openConnectSheet(client, sources => {
                announce(
                    l10n.t(
                        'Connected: {0}',
                        sources
                            .slice(0, 5)
                            .map(({ name }) => name)
                            .join(', '),
                    ),
                );
                refresh();
            }),
        offerPlace(button, { sources }: PlaceOfSources) {
            openMenu(button, l10n.t('What to do with {0}', sources[0].database_name), ofSources(sources));
        },
        offerTable(button, source) {
            const copy = { label: l10n.t('Copy the bind'), choose: () => copyBind(source) };
            openMenu(button, l10n.t('What to do with {0}', source.name), [
                ...(mayChange ? [{ label: l10n.t('Show the first rows'), choose: () => go(source.id) }] : []),
                copy,
                ...(mayChange && hasProject(host)
                    ? [
                          {
                              label: l10n.t('Insert the bind into a concept'),
                              choose: () => void openBindSheet(host, source).catch(host.failed),
                          },
                      ]
                    : []),
                ...(mayChange ? ofSources([source]) : []),
            ]);
        },
    };
}

/** Asks whether sources are to be forgotten, and forgets them. */
function forget({ client, refresh }: ServicesHost, sources: readonly [Source, ...Source[]]): void {
    const [{ name, database_name, scope }] = sources;
    openAskSheet({
        title:
            sources.length === 1
                ? l10n.t("Forget the source '{0}'?", name)
                : l10n.t("Forget the {0} tables of '{1}'?", sources.length, database_name),
        text: l10n.t('The data stay as they are. What opens it is forgotten: concepts that bind it can no longer be run.'),
        label: l10n.t('Forget'),
        async act() {
            const source_ids = sources.map(({ id }) => id);
            await client.cleanupSources({ body: { scope: scopeOf(scope), source_ids } });
            refresh();
            return undefined;
        },
    });
}
