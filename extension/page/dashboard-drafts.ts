import type { DashboardPlace } from '#extension/surfaces/platform/dashboard-host.ts';

/** Under which name the tab keeps changes of a dashboard that are not saved. */
export function draftKey({ scope, project, dashboard }: DashboardPlace): string {
    return `dashboard ${scope}/${project}/${dashboard}`;
}
