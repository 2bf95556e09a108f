import { type Disposable, l10n, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { Connections } from './connections.ts';
import type { LocalServices } from './local-services.ts';

/** One item: which services the views show, and what else can be done about them. */
export function showServicesInStatusBar(connections: Connections, local: LocalServices, subscriptions: Disposable[]): void {
    const item = window.createStatusBarItem('rulelang.services', StatusBarAlignment.Right, 0);
    item.name = l10n.t('Rulelang services');
    item.command = 'rulelang.choosePlatform';
    const draw = (): void => {
        const active = connections.active();
        const running = local.running();
        const failed = connections.failed();
        if (active === undefined && failed === undefined && running === undefined) {
            item.hide();
            return;
        }
        const address = failed?.address ?? (active?.kind === 'hosted' ? active.address : undefined);
        const where = address === undefined ? l10n.t('local') : new URL(address).host;
        const icon = failed ? '$(warning)' : address === undefined ? '$(server-process)' : '$(globe)';
        item.text = `${icon} ${l10n.t('Services: {0}', where)}`;
        item.backgroundColor = failed && new ThemeColor('statusBarItem.warningBackground');
        const tooltip = [
            ...(failed ? [l10n.t('{0} cannot be used: {1}', failed.address, failed.reason)] : []),
            ...(active?.kind === 'hosted' ? [l10n.t('Projects of {0}', active.address)] : []),
            ...(active?.role === 'viewer' ? [l10n.t('You may look, and change nothing.')] : []),
            ...(running === undefined
                ? []
                : [
                      l10n.t('Platform: {0}', running.platform),
                      l10n.t('Engine: {0}', running.engine),
                      l10n.t('Assistant: {0}', running.assistant),
                  ]),
            l10n.t('Click for what can be done about them.'),
        ].join('\n');
        item.tooltip = tooltip;
        item.accessibilityInformation = { label: l10n.t('Rulelang services: {0}', tooltip), role: 'button' };
        item.show();
    };
    subscriptions.push(item, connections.changed(draw), local.changed(draw));
    draw();
}
