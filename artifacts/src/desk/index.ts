/** Work on texts of artifacts that others wrote, as questions and answers: in a process of its own, or in this one. */
export type {
  ArtifactConflict,
  Comparison,
  Desk,
  DeskAnswer,
  DeskAnswers,
  DeskAnswerTo,
  DeskCode,
  DeskProblem,
  DeskSlice,
  DeskSymbol,
  DifferentLines,
  DifferentSymbol,
  LineRange,
  PlannedChange,
  TextPlace,
} from './desk-answer.ts'
export type {
  CompareRequest,
  ComposePart,
  ComposeRequest,
  ConflictsRequest,
  DeskRequest,
  MergePart,
  MergeRequest,
  PastChange,
  PlanRequest,
  SinceChange,
  SliceRequest,
  SymbolsRequest,
  UndoPart,
  UndoRequest,
} from './desk-request.ts'
export type { DeskText, ProjectText } from './desk-text.ts'
export { createDirectDesk } from './direct-desk.ts'
export { type DeskOptions, openDesk } from './open-desk.ts'
