/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { ListedChannel } from './engine-channels.ts'
