import { say } from '#language/program/say.ts';
import type { HostGrant } from '#server/protocol/host-grant.ts';
import { configurationIn, plainValues } from '#server/store/configuration.ts';
import {
    type DataDirectory,
    DataDirectoryError,
    openDataDirectory,
    StoreUnavailable,
    usualDataDirectory,
} from '#server/store/data-directory.ts';
import { answerKeep } from './answer-keep.ts';
import { MODEL_DEFAULTS, modelConfiguration, type ReadConfiguration } from './model-configuration.ts';
import { type ModelFunctions, upTo } from './model-functions.ts';

/** Surroundings of a run without services that asks a model. */
export interface MachineModel {
    readonly environment: NodeJS.ProcessEnv;
    /** Beyond this machine and those of providers, where a model may be asked. */
    readonly hosts: readonly HostGrant[];
    /** A phrase for the user's way to grant a host, which ends in it. */
    readonly grantHost: (address: string) => string;
    readonly allow: ModelFunctions['allow'];
    /** The usual one where absent. */
    readonly dataDirectory?: string | undefined;
}

/** If one of these has a value, the environment names the model. Values of two places never mix, since a key belongs to an address. */
const DECIDING = ['LLM_PROVIDER', 'LLM_API_KEY', 'LLM_BASE_URL'];

/** The model that the environment names, or else the one that is saved for the services of this machine. Its answers are kept in the data directory. */
export function machineModel({ environment, hosts, grantHost, allow, dataDirectory }: MachineModel): ModelFunctions {
    let opened: DataDirectory | undefined;
    const data = (): DataDirectory => {
        opened ??= openDataDirectory(dataDirectory ?? usualDataDirectory(environment, process.platform));
        return opened;
    };
    const read = (): ReadConfiguration => {
        const isNamed = DECIDING.some(name => (environment[name] ?? '').trim() !== '');
        const names = [...Object.keys(MODEL_DEFAULTS), 'LLM_BASE_URL'];
        try {
            const values = isNamed
                ? new Map(names.map(name => [name, environment[name]]))
                : plainValues(configurationIn(data()).load('user'));
            return modelConfiguration(values, { hosts, grantHost });
        } catch (error) {
            if (!(error instanceof DataDirectoryError || error instanceof StoreUnavailable)) throw error;
            return { ok: false, reason: error.message };
        }
    };
    return {
        configuration: read(),
        allow,
        keep: answerKeep(data),
        host: { spend: async () => {}, spent: async () => {}, sent: () => {} },
    };
}

/** The same for a command, which may make so many calls of it. */
export function commandModel(environment: NodeJS.ProcessEnv, hosts: readonly HostGrant[], most: number): ModelFunctions {
    const grantHost = (address: string): string => say`add --allow-net ${address}`;
    const allow = upTo(most, count => say`Add --model-calls ${count} to let it make them.`);
    return machineModel({ environment, hosts, grantHost, allow });
}
