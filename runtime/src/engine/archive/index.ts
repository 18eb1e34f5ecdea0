/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { updateLeafIndex } from '../ledger/find/index-leaves.ts'
export { finishErasure } from '../rows/finish-erasure.ts'
export { type ArchivableFlow, ArchiveJudge, type KeptBy } from './archivable.ts'
export { iterateEndedFlows, prepareArchiving } from './archivable-flows.ts'
export { type ArchivedFlow, type ArchivedPayload, archiveFlow } from './archive-flow.ts'
export { restoreFlow } from './restore-flow.ts'
