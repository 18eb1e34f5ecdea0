/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { LawFinding, LawReport } from './judge-law.ts'
export { judgeFile, judgeStore } from './judge-ledger.ts'
