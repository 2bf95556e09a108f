import type { Providers } from '#engine/contracts/providers.ts';
import { say } from '#language/program/say.ts';
import { commandModel } from '#server/model/machine-model.ts';
import { modelFunctions, withoutModel } from '#server/model/model-functions.ts';
import type { RunJob } from '#server/protocol/jobs.ts';

/** The model of the environment, where a command may ask it. */
export function providersOf({ modelCalls, allowNet: hosts }: Pick<RunJob, 'modelCalls' | 'allowNet'>): Providers {
    if (modelCalls === undefined)
        return withoutModel(
            () =>
                say`Run the program with rulelang run --allow-model: it then asks the model that LLM_PROVIDER, LLM_API_KEY and LLM_BASE_URL name.`,
        );
    return modelFunctions(commandModel(process.env, hosts, modelCalls));
}
