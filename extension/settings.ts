/**
 * Where a setting may be given: `machine` in those of the user alone; `machine-overridable` may also stand in a workspace, but counts only in a
 * trusted one.
 */
type Scope = 'machine' | 'machine-overridable' | 'resource' | 'window';

interface SettingBase {
    readonly description: string;
    readonly scope: Scope;
    /**
     * What a hostile workspace could do with it. `limit`, `path` and `command` are ignored in restricted mode; `plain`
     * settings change what is seen.
     */
    readonly hazard: 'plain' | 'limit' | 'path' | 'command';
}

export type Setting = SettingBase &
    (
        | { readonly type: 'integer'; readonly default: number; readonly minimum: number; readonly maximum: number }
        | { readonly type: 'switch'; readonly default: boolean }
        | { readonly type: 'text'; readonly default: string; readonly pattern?: string }
        | { readonly type: 'choice'; readonly default: string; readonly choices: Readonly<Record<string, string>> }
        /** Texts by name; any where no values are given. */
        | { readonly type: 'texts'; readonly default: Readonly<Record<string, string>>; readonly values?: readonly string[] }
    );

const PORT = { type: 'integer', minimum: 0, maximum: 65_535, scope: 'machine', hazard: 'limit' } as const;

/** Every setting, without the prefix `rulelang.`, in the order in which they are listed. */
export const SETTINGS = {
    'run.maxMemory': {
        type: 'integer',
        default: 4096,
        minimum: 64,
        maximum: 1_048_576,
        scope: 'machine-overridable',
        hazard: 'limit',
        description: 'Stops a run when its facts need more than this many MiB of memory.',
    },
    'run.timeout': {
        type: 'integer',
        default: 600,
        minimum: 0,
        maximum: 604_800,
        scope: 'machine-overridable',
        hazard: 'limit',
        description: 'Stops a run after this many seconds. 0 sets no limit.',
    },
    'run.parameters': {
        type: 'texts',
        default: {},
        scope: 'resource',
        hazard: 'limit',
        description: 'Values of program parameters by name. They replace the defaults that `@param` declares.',
    },
    'problems.severity': {
        type: 'texts',
        default: {},
        values: ['off', 'hint', 'information', 'warning', 'error'],
        scope: 'window',
        hazard: 'plain',
        description:
            'How severe problems are, by their codes: `off`, `hint`, `information`, `warning` or `error`. Counts before the file `rulelang.json` of a project. Errors stay errors.',
    },
    'grid.density': {
        type: 'choice',
        default: 'compact',
        choices: { compact: 'Rows of 22 pixels.', comfortable: 'Rows of 28 pixels.' },
        scope: 'window',
        hazard: 'plain',
        description: 'How close the rows of results stand.',
    },
    'platform.enabled': {
        type: 'switch',
        default: false,
        scope: 'machine',
        hazard: 'command',
        description: 'Starts the local HTTP services together with the extension, and stops them when this is turned off.',
    },
    'platform.command': {
        type: 'text',
        default: 'rulelang',
        scope: 'machine',
        hazard: 'command',
        description: 'The command line of rulelang, which serves: a name, a path, or the path of its `cli.js`.',
    },
    'platform.dataDir': {
        type: 'text',
        default: '',
        scope: 'machine',
        hazard: 'path',
        description: 'The folder in which the services keep their data. Empty is the usual one, with the data of your other applications.',
    },
    'platform.port': { ...PORT, default: 8000, description: 'The port of the platform API. 0 is any free one.' },
    'platform.enginePort': { ...PORT, default: 8080, description: 'The port of the engine API. 0 is any free one.' },
    'platform.chatPort': { ...PORT, default: 8090, description: 'The port of the documentation assistant. 0 is any free one.' },
    'platform.pathPrefix': {
        type: 'text',
        default: '',
        pattern: '^(/[A-Za-z0-9_.~-]+)*$',
        scope: 'machine',
        hazard: 'path',
        description: 'What every path of the platform API begins with, such as `/svc`.',
    },
    'trace.server': {
        type: 'choice',
        default: 'messages',
        choices: { messages: 'Which messages pass.', verbose: 'Messages with their content.' },
        scope: 'window',
        hazard: 'plain',
        description: 'What the output shows of the messages between editor and language server when its level is Trace.',
    },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S extends Setting> = S extends { readonly type: 'integer' }
    ? number
    : S extends { readonly type: 'switch' }
      ? boolean
      : S extends { readonly type: 'text' }
        ? string
        : S extends { readonly choices: infer C }
          ? keyof C
          : Readonly<Record<string, string>>;

export type SettingValue<N extends SettingName> = ValueOf<(typeof SETTINGS)[N]>;

/** The value that a user has given, or the default where that is none: VS Code checks settings while they are typed, not when they are read. */
export function settingValue<N extends SettingName>(name: N, given: unknown): SettingValue<N> {
    const setting: Setting = SETTINGS[name];
    return (fits(setting, given) ? given : setting.default) as SettingValue<N>;
}

function fits(setting: Setting, given: unknown): boolean {
    switch (setting.type) {
        case 'integer':
            return Number.isInteger(given) && (given as number) >= setting.minimum && (given as number) <= setting.maximum;
        case 'switch':
            return typeof given === 'boolean';
        case 'text':
            return typeof given === 'string' && new RegExp(setting.pattern ?? '', 'u').test(given);
        case 'choice':
            return typeof given === 'string' && Object.hasOwn(setting.choices, given);
        case 'texts':
            return typeof given === 'object' && given !== null && Object.values(given).every(text => typeof text === 'string');
    }
}

/** The part `contributes.configuration` of the manifest. */
export function configurationOf(settings: Readonly<Record<string, Setting>>): object {
    const properties = Object.entries(settings).map(([name, setting], order) => [`rulelang.${name}`, { ...schemaOf(setting), order }]);
    return { title: 'Rulelang', properties: Object.fromEntries(properties) };
}

function schemaOf(setting: Setting): object {
    const { scope, description } = setting;
    const common = { scope, markdownDescription: description, default: setting.default };
    switch (setting.type) {
        case 'integer':
            return { type: 'integer', ...common, minimum: setting.minimum, maximum: setting.maximum };
        case 'switch':
            return { type: 'boolean', ...common };
        case 'text':
            return { type: 'string', ...common, ...(setting.pattern !== undefined && { pattern: setting.pattern }) };
        case 'choice':
            return { type: 'string', ...common, enum: Object.keys(setting.choices), enumDescriptions: Object.values(setting.choices) };
        case 'texts':
            return { type: 'object', ...common, additionalProperties: { type: 'string', ...(setting.values && { enum: setting.values }) } };
    }
}

/** The settings that a workspace cannot give in restricted mode. */
export function restrictedSettings(settings: Readonly<Record<string, Setting>>): string[] {
    return Object.entries(settings)
        .filter(([, setting]) => setting.hazard !== 'plain')
        .map(([name]) => `rulelang.${name}`);
}
