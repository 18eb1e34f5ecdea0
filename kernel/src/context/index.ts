/** What an agent is shown: layers, memory, search, and text made harmless. */
export { type AssembledContext, assembleContext } from './assemble.ts'
export { splitIntoChunks } from './chunk-text.ts'
export { isDeceiving } from './deceiving.ts'
export { escapeControls } from './escape-controls.ts'
export { isBlank } from './is-blank.ts'
export type {
  ArtifactRef,
  ContextBudget,
  DecisionSaid,
  LayerRecord,
  MemoryEntry,
  SessionEvent,
  StoredMemory,
  Trimmed,
} from './layers.ts'
export { sanitise, stripHidden, type TextFlag } from './sanitise.ts'
export { countWords, type RankedChunk, rankChunks, searchTerms, type WordHit } from './search.ts'
export { isNameReadable, isWithheldKind } from './select.ts'
export type { Snapshot } from './snapshot.ts'
export type { WorkingContext } from './working-context.ts'
