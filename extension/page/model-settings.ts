import { MODEL_PROVIDERS } from '#extension/surfaces/agent/model-providers.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { JsonText, jsonOf } from '#server/protocol/json-text.ts';
import { openFormSheet, type SheetField, type SheetValues } from './form-sheet.ts';

type Configuration = Awaited<ReturnType<PlatformClient['loadConfig']>>;
type Entry = readonly [term: string, value: string];

/** A server of one's own, which speaks as OpenAI does. */
const OWN = 'chat-completions';
const USUAL = 'default';

function textIn(saved: Configuration, key: string): string {
    const value = saved[key];
    return value === null || value === undefined ? '' : String(value);
}

/** Texts that stand for the model that a provider usually has are not shown as names of one. */
function versionIn(saved: Configuration, key: string): string {
    const text = textIn(saved, key);
    return text === USUAL ? '' : text;
}

function providerName(provider: string): string {
    if (provider === OWN) return l10n.t('A server that speaks as OpenAI does');
    return MODEL_PROVIDERS.find(known => known.provider === provider)?.label ?? provider;
}

/** What is saved of the model, without its key; `asked` is the model that answers. */
export function modelSettings(saved: Configuration, asked: string | undefined): readonly Entry[] {
    const usual = l10n.t('the usual one of the provider');
    const address = textIn(saved, 'LLM_BASE_URL');
    return [
        [l10n.t('Provider'), providerName(textIn(saved, 'LLM_PROVIDER'))],
        [l10n.t('Model'), asked ?? (versionIn(saved, 'LLM_VERSION') || usual)],
        ...(address === '' ? [] : [[l10n.t('Address'), address] as const]),
        [l10n.t('Key'), textIn(saved, 'LLM_API_KEY') === '' ? l10n.t('none is kept') : l10n.t('kept by the services, and not shown')],
        [l10n.t('Temperature'), textIn(saved, 'LLM_TEMPERATURE')],
        [l10n.t('Tokens of an answer at most'), textIn(saved, 'LLM_MAX_TOKENS')],
        [l10n.t('Model of embeddings'), versionIn(saved, 'EMBEDDING_MODEL_VERSION') || usual],
        [l10n.t('Numbers of an embedding'), textIn(saved, 'EMBEDDING_DIMENSIONS')],
    ];
}

/** Asks for a model, and keeps it in the configuration of the services, key included: they alone read it. */
export function openModelSheet(client: Pick<PlatformClient, 'saveConfig'>, saved: Configuration, done: () => void): void {
    openFormSheet({
        title: l10n.t('Configure a model'),
        text: l10n.t('The key is kept by the services, and sent to the provider alone.'),
        fields: values => fieldsOf(saved, values),
        label: l10n.t('Save'),
        async act(values) {
            await client.saveConfig({ body: { scope: 'user', config_data: new JsonText(jsonOf(configurationIn(values, saved))) } });
            done();
            return undefined;
        },
    });
}

function fieldsOf(saved: Configuration, { provider = textIn(saved, 'LLM_PROVIDER') }: SheetValues): readonly SheetField[] {
    const known = [...MODEL_PROVIDERS.map(one => one.provider), OWN];
    const providers = known.includes(provider) ? known : [...known, provider];
    const number = (name: string, label: string, key: string, least: number, most: number): SheetField => ({
        name,
        label,
        value: textIn(saved, key),
        optional: true,
        complaint(text) {
            const value = Number(text);
            const isRight = text === '' || (value >= least && value <= most && (least === 0 || Number.isInteger(value)));
            return isRight ? undefined : l10n.t('{0}: a number from {1} to {2}', label, least, most);
        },
    });
    return [
        {
            name: 'provider',
            label: l10n.t('Provider'),
            kind: 'choice',
            value: provider,
            choices: providers.map(value => ({ value, label: providerName(value) })),
        },
        {
            name: 'address',
            label: l10n.t('Address'),
            value: textIn(saved, 'LLM_BASE_URL'),
            optional: provider !== OWN,
            hint:
                provider === OWN
                    ? l10n.t('Up to what /chat/completions follows, such as http://127.0.0.1:11434/v1')
                    : l10n.t('Empty for that of the provider'),
            complaint: text => (text === '' || URL.canParse(text) ? undefined : l10n.t('An address begins with http:// or https://')),
        },
        {
            name: 'version',
            label: l10n.t('Model'),
            value: versionIn(saved, 'LLM_VERSION'),
            optional: true,
            hint: l10n.t('Empty for the usual one of the provider'),
        },
        {
            name: 'key',
            label: l10n.t('Key'),
            kind: 'password',
            optional: true,
            hint: l10n.t('Empty: the key that is kept stays, unless it would go to another provider or address.'),
        },
        number('temperature', l10n.t('Temperature'), 'LLM_TEMPERATURE', 0, 2),
        number('tokens', l10n.t('Tokens of an answer at most'), 'LLM_MAX_TOKENS', 1, 200_000),
        {
            name: 'embedding',
            label: l10n.t('Model of embeddings'),
            value: versionIn(saved, 'EMBEDDING_MODEL_VERSION'),
            optional: true,
            hint: l10n.t('Empty for the usual one of the provider'),
        },
        number('dimensions', l10n.t('Numbers of an embedding'), 'EMBEDDING_DIMENSIONS', 1, 65_536),
    ];
}

/** What has changed; null has what counts where nothing is saved. A key goes nowhere else than where it was meant for. */
function configurationIn(values: SheetValues, saved: Configuration): Record<string, unknown> {
    const { provider = OWN, address = '', version = '', key = '', temperature = '', tokens = '', embedding = '', dimensions = '' } = values;
    const isElsewhere = provider !== textIn(saved, 'LLM_PROVIDER') || address !== textIn(saved, 'LLM_BASE_URL');
    const number = (text: string): number | null => (text === '' ? null : Number(text));
    const written: Record<string, string | number | null> = {
        LLM_PROVIDER: provider,
        LLM_BASE_URL: address === '' ? null : address,
        LLM_VERSION: version === '' ? USUAL : version,
        LLM_TEMPERATURE: number(temperature),
        LLM_MAX_TOKENS: number(tokens),
        EMBEDDING_MODEL_VERSION: embedding === '' ? USUAL : embedding,
        EMBEDDING_DIMENSIONS: number(dimensions),
    };
    const changed = Object.entries(written).filter(([name, value]) => String(value ?? '') !== textIn(saved, name));
    const keyNow = key.trim() === '' ? (isElsewhere ? { LLM_API_KEY: null } : {}) : { LLM_API_KEY: key.trim() };
    return { ...Object.fromEntries(changed), ...keyNow };
}
