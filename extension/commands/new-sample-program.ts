import type { CommandOutcome } from '#extension/host/outcome.ts';
import { newProgramPlace, openNewProgram } from './new-program.ts';

const SAMPLE = `%% Which service calls which, and what is down.
calls("shop", "basket").
calls("shop", "search").
calls("basket", "accounts").
calls("basket", "prices").
calls("billing", "accounts").
calls("accounts", "store").
@model("calls", "['caller:string', 'callee:string']", "[caller] calls [callee]").

down("store").
@model("down", "['service:string']", "[service] is down").

% A service depends on those that it calls, and on those that they depend on.
depends(A, B) <- calls(A, B).
depends(A, C) <- depends(A, B), calls(B, C).
@model("depends", "['service:string', 'on:string']", "[service] depends on [on]").

% It is affected when it depends on one that is down. Run the program, choose a row and press E to see why.
affected(A, B) <- depends(A, B), down(B).
@output("affected").
@model("affected", "['service:string', 'because of:string']", "[service] is affected by [because of]").
`;

/** Opens a small program that has not been saved. */
export async function newSampleProgram(): Promise<CommandOutcome> {
    await openNewProgram(await newProgramPlace('services'), SAMPLE);
    return 'done';
}
