import { say } from '#language/program/say.ts';
import type { HostGrant } from '#server/protocol/host-grant.ts';
import { openDataDirectory, usualDataDirectory } from '#server/store/data-directory.ts';
import { answerKeep } from './answer-keep.ts';
import { MODEL_DEFAULTS, modelConfiguration } from './model-configuration.ts';
import type { ModelFunctions } from './model-functions.ts';

/** The model that the environment names, for a run that may make so many calls of it. Its answers are kept in the usual data directory. */
export function environmentModel(environment: NodeJS.ProcessEnv, hosts: readonly HostGrant[], most: number): ModelFunctions {
    const names = [...Object.keys(MODEL_DEFAULTS), 'LLM_BASE_URL'];
    const values = new Map(names.map(name => [name, environment[name]]));
    return {
        configuration: modelConfiguration(values, { hosts, grantHost: address => say`add --allow-net ${address}` }),
        most,
        keep: answerKeep(() => openDataDirectory(usualDataDirectory(environment, process.platform))),
        host: { spend: async () => {}, spent: async () => {}, sent: () => {} },
    };
}
