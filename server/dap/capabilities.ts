import type { DebugProtocol } from '@vscode/debugprotocol';
import { filters } from './breakpoints.ts';

/** What the debug adapter can do besides what every one can. */
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
