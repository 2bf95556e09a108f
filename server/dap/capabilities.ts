import type { DebugProtocol } from '@vscode/debugprotocol';
import { filters } from './breakpoints.ts';

/** Abilities of the debug adapter beyond those that every adapter has. */
export function capabilities(): DebugProtocol.Capabilities {
    return {
        supportsConfigurationDoneRequest: true,
        supportsFunctionBreakpoints: true,
        supportsConditionalBreakpoints: true,
        supportsHitConditionalBreakpoints: true,
        supportsLogPoints: true,
        supportsEvaluateForHovers: true,
        supportsStepBack: true,
        supportsRestartFrame: true,
        supportsRestartRequest: true,
        supportsTerminateRequest: true,
        supportsExceptionInfoRequest: true,
        supportsExceptionFilterOptions: true,
        supportsBreakpointLocationsRequest: true,
        supportsDelayedStackTraceLoading: true,
        exceptionBreakpointFilters: filters(),
    };
}
