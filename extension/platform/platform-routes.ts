/** The descriptions of all routes, in a file of their own: with what checks them they are a third of the code, and only connections need them. */
export { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';
