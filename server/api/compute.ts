import { Type } from 'typebox';
import { COMPUTE_NAMES, type ComputeName } from '#server/protocol/compute-names.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { COMPUTE, optional } from '#server/protocol/platform/schema.ts';
import type { Configuration } from '#server/store/configuration.ts';
import { validated } from './validate.ts';

/** The back end of an evaluation, as far as a request or setting names it. */
export interface Compute {
    readonly backend: string;
    readonly timeout_seconds?: number;
}

export interface ChosenCompute extends Compute {
    /** Absent where the back end is the evaluator itself. */
    readonly compute?: ComputeName;
}

const LOCAL: Compute = { backend: 'local' };
/** The key of the configuration that holds the usual one. */
const KEY = 'COMPUTE';
const CONFIGURED = Type.Object({ [KEY]: optional(COMPUTE) });

/**
 * Chooses among several wishes, the strongest first, and the configuration of the user. The first one counts, with the settings of the
 * others for the same back end. Throws `invalid_compute` if the configuration cannot be read, `compute_unavailable` for a back end that is
 * not built in.
 */
export function chosenCompute(wishes: readonly (Compute | undefined)[], configuration: Configuration): ChosenCompute {
    const levels = [...wishes, configured(configuration), LOCAL].filter(wish => wish !== undefined);
    const { backend } = levels[0] ?? LOCAL;
    const resolved: Compute = Object.assign({}, ...levels.filter(level => level.backend === backend).reverse());
    const compute = COMPUTE_NAMES.find(name => name === backend);
    if (compute === undefined && backend !== LOCAL.backend) throw apiError('compute_unavailable', [backend], { details: { backend } });
    return { ...resolved, ...(compute && { compute }) };
}

function configured(configuration: Configuration): Compute | undefined {
    const value = configuration.load('user').get(KEY)?.value;
    if (value === undefined || value === null) return undefined;
    const query = { schema: Type.Object({}), given: new URLSearchParams() };
    return validated<object, { readonly [KEY]?: Compute }>(query, { schema: CONFIGURED, given: { [KEY]: value } }).body[KEY];
}
