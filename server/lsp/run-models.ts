import { ProvidedFailed, type Providers } from '#engine/contracts/providers.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { NewCalls } from '#server/model/model-functions.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';
import { MODEL_AGREED } from '#server/protocol/runs.ts';
import type { LanguageServer } from './language-server.ts';

/** Calls of a run for which no answer is kept, before the user is asked. */
const UNASKED = 100;

/**
 * Gives each run of an editor the model of this machine. The user agrees to that once for each workspace and address, and to many calls each
 * time; what is needed for it is loaded with the first call.
 */
export function runModels({ connection, options }: Pick<LanguageServer, 'connection' | 'options'>): () => Promise<Providers> {
    const { allowNet = [], model: { never = false, agreed: before = '', dataDirectory } = {} } = options;
    const hosts = allowNet.flatMap(text => hostGrant(text) ?? []);
    let agreed = before;

    const isAnswered = async (question: string, yes: string): Promise<boolean> =>
        (await connection.window.showWarningMessage(question, { title: yes })) !== undefined;

    const agree = async ({ configuration: { provider, baseUrl } }: NewCalls): Promise<void> => {
        const who = `${provider} ${baseUrl}`;
        if (agreed === who) return;
        const question = say`The program asks the language model at ${new URL(baseUrl).host} (${provider}), and sends it texts that it makes of its data. May the programs of this workspace do that?`;
        if (!(await isAnswered(question, say`Let Them Ask`)))
            throw new ProvidedFailed(say`you have not allowed it`, say`Run the program again, and let it ask the model.`);
        agreed = who;
        void connection.sendNotification(MODEL_AGREED, { agreed });
    };

    return async () => {
        const [{ machineModel }, { modelFunctions, withoutModel }] = await Promise.all([
            import('#server/model/machine-model.ts'),
            import('#server/model/model-functions.ts'),
        ]);
        if (never)
            return withoutModel(() => say`The setting rulelang.model.samples is 'never': with another value a program may ask a model.`);
        let most = UNASKED;
        const allow = async (calls: NewCalls): Promise<void> => {
            await agree(calls);
            const { count, made, tokens } = calls;
            if (made + count <= most) return;
            const number = countText(count);
            const question = say`The run needs ${number} calls of a language model, with about ${countText(tokens)} tokens of questions. Make them?`;
            if (!(await isAnswered(question, say`Make ${number} Calls`)))
                throw new ProvidedFailed(
                    say`it would take ${number} calls, which you have not allowed`,
                    say`Run the program again, and let it make them.`,
                );
            most = made + count;
        };
        const grantHost = (address: string): string => say`add ${address} to the setting rulelang.run.allowNet`;
        return modelFunctions(machineModel({ environment: process.env, hosts, grantHost, allow, dataDirectory }));
    };
}
