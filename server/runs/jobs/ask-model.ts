import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { commandModel } from '#server/model/machine-model.ts';
import type { Model } from '#server/model/model.ts';
import { openModel } from '#server/model/open-model.ts';
import { whileLooked } from '#server/processes/while-looked.ts';
import type { ApiErrorCode } from '#server/protocol/platform/errors.ts';
import type { JobContext } from '../job-context.ts';
import { checkpointOf } from '../write-outputs.ts';
import type { ExplainJob } from './explain-question.ts';

type AskingJob = Pick<ExplainJob, 'allowNet' | 'modelCalls'>;

/**
 * Lets a command ask the model that the environment names, `calls` times. Gives undefined where that is too often, or where the model fails, and says why;
 * `command` is what said it.
 */
export async function askModel<T>(
    command: string,
    calls: number,
    { allowNet, modelCalls = 0 }: AskingJob,
    context: JobContext,
    work: (model: Model, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
    const { configuration, host } = commandModel(process.env, allowNet, modelCalls);
    const refuse = (reason: string): undefined => void context.say(say`rulelang ${command}: ${reason}\n`);
    if (!configuration.ok) return refuse(say`no model can be asked: ${configuration.reason}`);
    if (calls > modelCalls) return refuse(say`the model would be asked ${countText(calls)} times; --model-calls ${calls} allows that`);
    const model = openModel(configuration.configuration, host);
    try {
        return await whileLooked(checkpointOf(context), signal => work(model, signal));
    } catch (error) {
        // The door to models is a part of the build, with a class of errors of its own.
        if (error instanceof Error && 'code' in error && error.code === ('llm_failed' satisfies ApiErrorCode)) return refuse(error.message);
        throw error;
    }
}
