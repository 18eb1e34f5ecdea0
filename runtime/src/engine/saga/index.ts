/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { listDirtyFlows } from './dirty-record.ts'
export type { Resolution } from './resolution.ts'
