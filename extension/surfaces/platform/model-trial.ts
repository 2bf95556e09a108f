import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';

type Trial = Awaited<ReturnType<PlatformClient['testModel']>>;

/** The answer of a model to one word, with its time and its cost, in the words of the host or of the page. */
export function trialText(trial: Trial, l10n: { t(text: string, ...values: readonly string[]): string }): string {
    const { provider, model, answer, milliseconds, input_tokens: sent, output_tokens: answered, usage } = trial;
    const seconds = (milliseconds / 1000).toFixed(1);
    return [
        l10n.t('{0} of {1} answered after {2} s: "{3}".', visible(model), visible(provider), seconds, visible(answer)),
        l10n.t('{0} tokens sent, {1} answered.', countText(sent), countText(answered)),
        l10n.t('{0} of {1} requests of this month are left.', countText(usage.remaining), countText(usage.limit)),
    ].join(' ');
}
