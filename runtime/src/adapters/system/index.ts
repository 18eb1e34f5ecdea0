/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { systemClock } from './clock.ts'
export { systemRandom } from './random.ts'
export { sha256 } from './sha256.ts'
