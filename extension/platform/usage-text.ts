import { l10n } from 'vscode';
import { countText } from '#extension/surfaces/number-text.ts';
import type { Connection } from './connection.ts';

/** Milliseconds that a menu waits for what stands beside its entries. */
const LONGEST_WAIT = 1_000;

/** How much of a model was used in this month; nothing where the services do not say it soon. */
export async function usageText({ client }: Pick<Connection, 'client'>): Promise<{ readonly description?: string }> {
    const late = new Promise<undefined>(resolve => setTimeout(resolve, LONGEST_WAIT, undefined));
    const status = await Promise.race([client.usageStatus({}).catch(() => undefined), late]);
    if (status === undefined) return {};
    const { current, limit, remaining } = status.llm_usage;
    const counts = [current, limit, remaining].map(countText);
    return { description: l10n.t('{0} of {1} requests used in this month, {2} left', ...counts) };
}
