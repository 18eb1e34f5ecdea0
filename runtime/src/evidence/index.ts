/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { checkNothingAway } from './away-flow.ts'
export { branchTrajectory } from './branch.ts'
export type { RuleCoverage } from './coverage.ts'
export { type CaseOutcome, CaseReader, type DecisionCase } from './decision-case.ts'
export { type DryRunReport, type RehearsedTrip, rehearseMonitors } from './dry-run.ts'
export { buildEpisode, EPISODE_FORMAT, type Episode } from './episode.ts'
export { exportBundle } from './export-bundle.ts'
export { buildHeaderLine, exportLedger, noCheckpoint, readEntryLines } from './export-ledger.ts'
export { exportStatement } from './export-statement.ts'
export { type Pause, sortItemsInTurns } from './in-turns.ts'
export { type Again, isSame } from './judge-case.ts'
export { Prover } from './merkle-proof.ts'
export { readLeafPages } from './pages.ts'
export { type PastDecision, type PastFlow, readPastFlows } from './past-decisions.ts'
export {
  type CaseResult,
  checkCase,
  createPolicyCase,
  type PolicyCase,
  parseCase,
} from './policy-case.ts'
export { type RecompileReport, recompileTrajectory } from './recompile.ts'
export { type ReplayFinding, type ReplayReport, replayTrajectory } from './replay.ts'
export { type ResourceChange, readResourceChanges } from './resource-changes.ts'
export { applyTrial, type LastTried, type Trial, tryCase, tryLast } from './trial.ts'
export { type ResourceAt, type WorldMoment, WorldMoments } from './world-moments.ts'
