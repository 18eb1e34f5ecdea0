/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { ContextStore } from './context-store.ts'
export { listLastReports } from './last-reports.ts'
export type { Observation } from './observe.ts'
export type { Speaker } from './speaker.ts'
