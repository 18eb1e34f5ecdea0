/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { Deps } from './deps.ts'
export type { Engine } from './engine.ts'
export type { Context } from './engine-context.ts'
export type { Oversight } from './oversight.ts'
