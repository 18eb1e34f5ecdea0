/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { Generation, GenerationIo, GenerationRequest } from './generate.ts'
export { readGeneration } from './read-generation.ts'
