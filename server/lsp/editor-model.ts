import { say } from '#language/program/say.ts';
import { machineModel } from '#server/model/machine-model.ts';
import { openModel } from '#server/model/open-model.ts';
import type { AGENT_TOOL_METHODS } from '#server/protocol/agent-tools.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';

type Methods = typeof AGENT_TOOL_METHODS;

/** The model that is configured on this machine, for what an editor asks on behalf of its user. */
export function editorModel({
    allowNet,
    dataDirectory,
}: {
    readonly allowNet: readonly string[];
    readonly dataDirectory: string | undefined;
}) {
    const hosts = allowNet.flatMap(text => hostGrant(text) ?? []);
    const grantHost = (address: string): string => say`add ${address} to the setting rulelang.run.allowNet`;
    const { configuration: read, host } = machineModel({
        environment: process.env,
        hosts,
        grantHost,
        allow: () => undefined,
        ...(dataDirectory !== undefined && dataDirectory !== '' && { dataDirectory }),
    });
    return {
        who(): ResultOf<Methods, 'rulelang/configuredModel'> {
            if (!read.ok) return { kind: 'none', reason: read.reason };
            const { provider, version: name, baseUrl: address } = read.configuration;
            return { kind: 'model', provider, name, address };
        },
        async ask(
            { system, messages }: Omit<ParamsOf<Methods, 'rulelang/askModel'>, 'dataDirectory'>,
            signal: AbortSignal,
        ): Promise<ResultOf<Methods, 'rulelang/askModel'>> {
            if (!read.ok) return { kind: 'none', reason: read.reason };
            const { text } = await openModel(read.configuration, host).complete({ system, messages, signal });
            return { kind: 'answer', text };
        },
    };
}
