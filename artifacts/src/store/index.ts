/** Where artifacts and their history are kept. */
export type { ArtifactEvent, EventBody, EventFile, EventStep } from './artifact-event.ts'
export type { BlobProblem, BlobStore } from './blob-store.ts'
export { type ContentHash, computeContentHash, isContentHash } from './content-hash.ts'
export { createMemoryLog, type EventLog, type LogProblem, openFileLog } from './event-log.ts'
export { createFileBlobs } from './file-blobs.ts'
export {
  ArtifactHistory,
  type ChangedFile,
  type EventDraft,
  type HistoryProblem,
} from './history.ts'
export { createMemoryBlobs } from './memory-blobs.ts'
export {
  type FilePast,
  listReplayed,
  planUndo,
  type UndonePlan,
  type UndoProblem,
} from './plan-undo.ts'
export { type RootDifference, RootTree } from './root-tree.ts'
