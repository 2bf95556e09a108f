import type { IconName } from '#extension/surfaces/icons.ts';
import type { Running } from '#extension/surfaces/platform/runs-table.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { Project } from './project-nav.ts';

/** The page, as a section sees it that is about the services as a whole. */
export interface ServicesHost {
    readonly client: PlatformClient;
    /** Whether the token may change things; where it may not, no action is shown that the services would refuse. */
    readonly mayChange: boolean;
    /** The project that is chosen, where there is one. */
    readonly project: Project | undefined;
    readonly scope: Scope;
    /** What is open of the section, as its route says. */
    readonly item: string | undefined;
    /** Opens something of the section, or what it shows without. */
    go(item: string | undefined): void;
    /** Opens another section. */
    goTo(section: string, item?: string): void;
    /** Reads what is shown anew. */
    refresh(): void;
    /** Shows why something failed instead of the section. */
    failed(error: unknown): void;
    /** Tells readers of screens. */
    announce(text: string): void;
    busy(isBusy: boolean): void;
}

/** The page, as a section sees it that is about one project. */
export interface PageHost extends ServicesHost {
    readonly project: Project;
    /** What runs in the project. */
    readonly running: readonly Running[];
    /** Opens another project, or the first one. */
    goToProject(project: { readonly scope: Scope; readonly id: string } | undefined): void;
}

/** Whether there is a project for what is asked for. */
export function hasProject(host: ServicesHost): host is PageHost {
    return host.project !== undefined;
}

type Scope = 'user' | 'organization';

/** What a section has put into the page. */
export interface MountedSurface {
    readonly root: HTMLElement;
    /** Stands above it; it stays in its place as long as it is the same. */
    readonly above?: HTMLElement | undefined;
    /** The item that is shown indeed; the route follows it. */
    readonly item?: string | undefined;
    /** What the item is called, where it has another name than that of the route. */
    readonly title?: string;
    /** Whether it follows by itself what begins and ends to run; otherwise it is opened anew then. */
    readonly followsRuns?: boolean;
    /** Takes a key that is pressed anywhere but in a field. */
    key?(event: KeyboardEvent): boolean;
    /** Called when it is taken out of the page. */
    close?(): void;
}

interface SectionHead {
    /** It is in the route, as `#/concepts`. */
    readonly id: string;
    readonly icon: IconName;
    label(): string;
}

/** Reads what it shows; called again at each refresh. What it throws is shown instead. */
export type Section = SectionHead &
    (
        | { readonly isOfProject: true; open(host: PageHost): Promise<MountedSurface> }
        | { readonly isOfProject: false; open(host: ServicesHost): Promise<MountedSurface> }
    );
