import { CONCEPT_TOOLS } from './concept-tools.ts';
import { DOCUMENTATION_TOOLS } from './documentation-tools.ts';
import { PROGRAM_TOOLS } from './program-tools.ts';
import { SOURCE_TOOLS } from './source-tools.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [...PROGRAM_TOOLS, ...CONCEPT_TOOLS, ...SOURCE_TOOLS, ...DOCUMENTATION_TOOLS];
