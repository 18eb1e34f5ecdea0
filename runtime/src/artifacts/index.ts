/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { ChangeRecord } from './change-record.ts'
export { parseChangeRecord } from './change-record.ts'
export { openArtifacts } from './open-workshop.ts'
export type { RuntimeArtifacts } from './options.ts'
