/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { AtomRequest } from './issue-atom.ts'
