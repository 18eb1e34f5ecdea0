/** Artifacts from files and back, for whoever has a disk. */
export { findIdProblem } from './artifact-id.ts'
export type { FileChange } from './file-change.ts'
export type { FileCode, FileProblem } from './file-problem.ts'
export { type FilesRoot, openFilesRoot } from './files-root.ts'
export { FilesSession, type Recovery, type WriteRecord } from './files-session.ts'
export { listFiles } from './list-files.ts'
export { type FileArtifact, readArtifact, toArtifact } from './read-artifact.ts'
export { RECORD_FOLDER } from './record-folder.ts'
