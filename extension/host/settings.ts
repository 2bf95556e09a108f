import { countText } from '#extension/surfaces/number-text.ts';
import { type GivenParameter, isGivenParameter } from '#server/protocol/runs.ts';

/**
 * The settings files that may give a setting: `machine` only the user's; `machine-overridable` also a workspace's, but it counts only in a
 * trusted one.
 */
type Scope = 'machine' | 'machine-overridable' | 'resource' | 'window';

interface SettingBase {
    readonly scope: Scope;
    /**
     * The harm that a hostile workspace could do with it. Restricted mode ignores `limit`, `path` and `command`; `plain` settings change
     * what is seen.
     */
    readonly hazard: 'plain' | 'limit' | 'path' | 'command';
    /** The language server learns it when it starts: a change counts after a restart. */
    readonly atStart?: true;
}

export type Setting = SettingBase &
    (
        | { readonly type: 'integer'; readonly default: number; readonly minimum: number; readonly maximum: number }
        | { readonly type: 'switch'; readonly default: boolean }
        | { readonly type: 'text'; readonly default: string; readonly pattern?: string }
        | { readonly type: 'choice'; readonly default: string; readonly choices: readonly string[] }
        /** One of these words by name. */
        | { readonly type: 'words'; readonly default: Readonly<Record<string, string>>; readonly words: readonly string[] }
        /** Scalars, and lists of them, by name. */
        | { readonly type: 'values'; readonly default: Readonly<Record<string, GivenParameter>> }
        | { readonly type: 'texts'; readonly default: readonly string[]; readonly pattern: string }
    );

const PORT = { type: 'integer', minimum: 0, maximum: 65_535, scope: 'machine', hazard: 'limit' } as const;

/** Every setting, without the prefix `rulelang.`, in the order in which they are listed. `words/package.nls.json` describes them. */
export const SETTINGS = {
    'run.maxMemory': {
        type: 'integer',
        default: 4096,
        minimum: 64,
        maximum: 1_048_576,
        scope: 'machine-overridable',
        hazard: 'limit',
        atStart: true,
    },
    'run.timeout': {
        type: 'integer',
        default: 600,
        minimum: 0,
        maximum: 604_800,
        scope: 'machine-overridable',
        hazard: 'limit',
        atStart: true,
    },
    'run.maxRounds': {
        type: 'integer',
        default: 10_000,
        minimum: 1,
        maximum: 1_000_000_000,
        scope: 'machine-overridable',
        hazard: 'limit',
        atStart: true,
    },
    'run.threads': {
        type: 'integer',
        default: 0,
        minimum: 0,
        maximum: 64,
        scope: 'machine-overridable',
        hazard: 'limit',
        atStart: true,
    },
    'python.enabled': { type: 'switch', default: false, scope: 'machine', hazard: 'command', atStart: true },
    'python.path': { type: 'text', default: '', scope: 'machine', hazard: 'command', atStart: true },
    'python.network': { type: 'switch', default: false, scope: 'machine', hazard: 'command', atStart: true },
    'run.parameters': {
        type: 'values',
        default: {},
        scope: 'resource',
        hazard: 'limit',
    },
    'run.allowNet': {
        type: 'texts',
        default: [],
        pattern: '^([A-Za-z0-9][A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
        scope: 'machine',
        hazard: 'command',
        atStart: true,
    },
    'run.secrets': {
        type: 'texts',
        default: [],
        pattern: '^[A-Za-z][A-Za-z0-9_]*$',
        scope: 'machine',
        hazard: 'command',
        atStart: true,
    },
    'run.keepRows': {
        type: 'switch',
        default: true,
        scope: 'machine',
        hazard: 'limit',
    },
    'run.inline': { type: 'switch', default: true, scope: 'window', hazard: 'plain' },
    'run.inlineAtoms': { type: 'switch', default: false, scope: 'window', hazard: 'plain' },
    'model.samples': {
        type: 'choice',
        default: 'schema',
        choices: ['never', 'schema', 'rows'],
        scope: 'machine',
        hazard: 'limit',
        atStart: true,
    },
    'problems.severity': {
        type: 'words',
        default: {},
        words: ['off', 'hint', 'information', 'warning', 'error'],
        scope: 'window',
        hazard: 'plain',
    },
    'problems.workspace': { type: 'switch', default: true, scope: 'window', hazard: 'plain' },
    'suggest.rules': { type: 'switch', default: true, scope: 'window', hazard: 'plain' },
    'grid.density': {
        type: 'choice',
        default: 'compact',
        choices: ['compact', 'comfortable'],
        scope: 'window',
        hazard: 'plain',
    },
    'platform.enabled': {
        type: 'switch',
        default: false,
        scope: 'machine',
        hazard: 'command',
    },
    'platform.command': {
        type: 'text',
        default: '',
        scope: 'machine',
        hazard: 'command',
    },
    'platform.dataDir': {
        type: 'text',
        default: '',
        scope: 'machine',
        hazard: 'path',
        atStart: true,
    },
    'platform.port': { ...PORT, default: 8000 },
    'platform.enginePort': { ...PORT, default: 8080 },
    'platform.chatPort': { ...PORT, default: 8090 },
    'platform.pathPrefix': {
        type: 'text',
        default: '',
        pattern: '^(/[A-Za-z0-9_.~-]+)*$',
        scope: 'machine',
        hazard: 'path',
    },
    'trace.server': {
        type: 'choice',
        default: 'messages',
        choices: ['messages', 'verbose'],
        scope: 'window',
        hazard: 'plain',
    },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The settings that the language server learns when it starts. */
export type SettingAtStart = { [N in SettingName]: (typeof SETTINGS)[N] extends { readonly atStart: true } ? N : never }[SettingName];

export const SETTINGS_AT_START = (Object.keys(SETTINGS) as SettingName[]).filter(name => 'atStart' in SETTINGS[name]);

type ValueOf<S extends Setting> = S extends { readonly type: 'texts' }
    ? readonly string[]
    : S extends { readonly type: 'integer' }
      ? number
      : S extends { readonly type: 'switch' }
        ? boolean
        : S extends { readonly type: 'text' }
          ? string
          : S extends { readonly choices: readonly (infer C)[] }
            ? C
            : S['default'];

export type SettingValue<N extends SettingName> = ValueOf<(typeof SETTINGS)[N]>;

/** The value that a user has given, or the default where that is none: VS Code checks settings while they are typed, not when they are read. */
export function settingValue<N extends SettingName>(name: N, given: unknown): SettingValue<N> {
    return (complaintAbout(SETTINGS[name], given) === undefined ? given : SETTINGS[name].default) as SettingValue<N>;
}

/** Describes a mistake in a user's value, as a sentence; undefined without one. */
export function settingComplaint(name: SettingName, given: unknown): string | undefined {
    const expected = complaintAbout(SETTINGS[name], given);
    return expected && `The setting \`rulelang.${name}\` must be ${expected}.`;
}

/** Says what a setting must be, and what it is, if the two differ. */
function complaintAbout(setting: Setting, given: unknown): string | undefined {
    const complaint = (expected: string): string => `${expected}, but is ${shown(given)}`;
    switch (setting.type) {
        case 'integer': {
            const { minimum, maximum } = setting;
            const fits = Number.isInteger(given) && (given as number) >= minimum && (given as number) <= maximum;
            return fits ? undefined : complaint(`a whole number from ${countText(minimum)} to ${countText(maximum)}`);
        }
        case 'switch':
            return typeof given === 'boolean' ? undefined : complaint('true or false');
        case 'text': {
            const pattern = setting.pattern ?? '';
            if (typeof given !== 'string') return complaint('a text');
            return new RegExp(pattern, 'u').test(given) ? undefined : complaint(`a text like ${pattern}`);
        }
        case 'choice':
            return setting.choices.some(choice => choice === given) ? undefined : complaint(`one of ${setting.choices.join(', ')}`);
        case 'words': {
            if (!isRecord(given)) return complaint('an object of words by name');
            const wrong = Object.entries(given).find(([, word]) => !setting.words.some(known => known === word));
            return wrong && `an object of ${setting.words.join(', ')} by name, but '${wrong[0]}' is ${shown(wrong[1])}`;
        }
        case 'texts': {
            const pattern = new RegExp(setting.pattern, 'u');
            if (!Array.isArray(given)) return complaint('a list of texts');
            const wrong = given.find(text => typeof text !== 'string' || !pattern.test(text));
            return wrong === undefined ? undefined : `a list of texts like ${setting.pattern}, but ${shown(wrong)} is none`;
        }
        case 'values': {
            if (!isRecord(given)) return complaint('an object of values by name');
            const wrong = Object.entries(given).find(([, value]) => !isGivenParameter(value));
            return wrong && `an object of texts, numbers, booleans and lists of them, but '${wrong[0]}' is ${shown(wrong[1])}`;
        }
    }
}

function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
    return typeof given === 'object' && given !== null && !Array.isArray(given);
}

const SHOWN = 60;

function shown(given: unknown): string {
    const text = JSON.stringify(given) ?? String(given);
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** The part `contributes.configuration` of the manifest, with keys of `words/package.nls.json` for texts. */
export function configurationOf(settings: Readonly<Record<string, Setting>>): object {
    const properties = Object.entries(settings).map(([name, setting], order) => [
        `rulelang.${name}`,
        { ...schemaOf(name, setting), order },
    ]);
    return { title: 'Rulelang', properties: Object.fromEntries(properties) };
}

function schemaOf(name: string, setting: Setting): object {
    const words = `setting.${name}`;
    const common = { scope: setting.scope, markdownDescription: `%${words}%`, default: setting.default };
    switch (setting.type) {
        case 'integer':
            return { type: 'integer', ...common, minimum: setting.minimum, maximum: setting.maximum };
        case 'switch':
            return { type: 'boolean', ...common };
        case 'text':
            return { type: 'string', ...common, ...(setting.pattern !== undefined && { pattern: setting.pattern }) };
        case 'choice':
            return {
                type: 'string',
                ...common,
                enum: setting.choices,
                enumDescriptions: setting.choices.map(choice => `%${words}.${choice}%`),
            };
        case 'words':
            return { type: 'object', ...common, additionalProperties: { type: 'string', enum: setting.words } };
        case 'texts':
            return { type: 'array', ...common, items: { type: 'string', pattern: setting.pattern } };
        case 'values': {
            const type = ['string', 'number', 'boolean', 'array'];
            return { type: 'object', ...common, additionalProperties: { type, items: { type } } };
        }
    }
}

/** The settings that a workspace cannot give in restricted mode. */
export function restrictedSettings(settings: Readonly<Record<string, Setting>>): string[] {
    return Object.entries(settings)
        .filter(([, setting]) => setting.hazard !== 'plain')
        .map(([name]) => `rulelang.${name}`);
}
