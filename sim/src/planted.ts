/**
 * Mistakes made on purpose, each in a process of its own that runs seeds until the auditor notices.
 * A simulator that finds nothing proves nothing until it has found these.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ACTS_IN_STORM } from './patches/acts.ts'
import { getPatch } from './patches/all.ts'
import { APPROVER_KEYS_IN_STORM } from './patches/approver-keys.ts'
import { ERASURE_IN_STORM } from './patches/erasure.ts'
import { FACTS_IN_STORM, READS_IN_STORM } from './patches/facts.ts'
import { FLOWS_IN_STORM } from './patches/flows.ts'
import { GUARDS_IN_STORM } from './patches/guards.ts'
import { LATE_CALLS_IN_STORM } from './patches/late-calls.ts'
import { MODELS_IN_STORM } from './patches/models.ts'
import { createPatchedRun } from './patches/patched-run.ts'
import { PERSONS_STORM } from './patches/persons.ts'
import { RULES_IN_STORM } from './patches/rules.ts'
import { SAGAS_IN_STORM } from './patches/sagas.ts'
import { SENDS_IN_STORM } from './patches/sends.ts'
import { STORM_PATCHES } from './patches/storm.ts'
import { CRAFTS_IN_STORM } from './patches/storm-crafts.ts'
import { EVENTS_IN_STORM } from './patches/storm-events.ts'
import { WAYS_IN_STORM } from './patches/storm-ways.ts'
import { WATCH_IN_STORM } from './patches/watch.ts'
import type { StormViolation } from './run-seeds.ts'

export type PlantedResult = {
  readonly bug: string
  readonly caught: boolean
  /** Seeds that it took. */
  readonly seeds: number
  readonly violation: StormViolation | null
}

export type PlantedReport = {
  readonly bugs: number
  readonly caught: number
  readonly results: readonly PlantedResult[]
}

export const HUNTED: readonly string[] = [
  ...STORM_PATCHES.map(({ name }) => name),
  ...FACTS_IN_STORM,
  ...PERSONS_STORM,
  ...APPROVER_KEYS_IN_STORM,
  ...FLOWS_IN_STORM,
  ...RULES_IN_STORM,
  ...SAGAS_IN_STORM,
  ...SENDS_IN_STORM,
  ...ERASURE_IN_STORM,
  ...WATCH_IN_STORM,
  ...ACTS_IN_STORM,
  ...MODELS_IN_STORM,
  ...GUARDS_IN_STORM,
  ...EVENTS_IN_STORM,
  ...WAYS_IN_STORM,
  ...READS_IN_STORM,
  ...CRAFTS_IN_STORM,
  ...LATE_CALLS_IN_STORM,
]
const ROOT = new URL('../../', import.meta.url)
const SEEDS_MAX = 600
/**
 * Where bugs that show rarely, or in seeds of one kind alone, were found last: a hunt that begins there is a short
 * one. When the engine changes, histories do too; then it goes on to the seeds of that kind, and then to all.
 * The hunt of one that is not named begins with the first.
 */
const FOUND_AT: Readonly<Record<string, number>> = {
  'call-judged-by-what-it-finds': 5,
  'call-claimed-by-all': 5,
  'call-left-unnamed': 61,
  'call-repeated-unnamed': 37,
  'call-not-resumed': 5,
  'call-of-unknown-outcome-forgotten': 5,
  'call-dated-by-a-clock-that-was-set-forward': 125,
  'call-of-long-ago-decided': 317,
  'freed-resource-uncounted': 18,
  'flow-of-a-message-believed': 126,
  'message-dropped-while-the-bus-is-down': 30,
  'dead-after-one-failure': 30,
  'wake-up-left-to-its-message': 6,
  'retired-agent-is-waited-for': 110,
  'subscription-outside-of-the-contract': 46,
  'older-event-keeps-its-member': 30,
  'late-proposal-beside-the-winner': 46,
  'bids-by-arrival': 30,
  'window-under-later-rules': 46,
  'course-begun-before-the-failure': 238,
  'atom-not-asked-for': 106,
  'proof-of-any-signer': 64,
  'atom-used-again': 138,
  atom_given_out_unrecorded: 16,
  atom_issued_on_old_authority: 16,
  'proof-hash-not-compared': 14,
  'proof-not-asked-for': 62,
  'proof-failure-waits-for-a-choice': 30,
  'atom-of-old-authority-covers': 10,
  'atom-for-any-kind': 10,
  'atom-stays-open': 10,
  'atom-not-given-back': 26,
  'atom-reserved-twice': 10,
  artifact_plan_stays_when_applied: 12,
  artifact_expired_plan_applied: 12,
  artifact_claims_outlive_their_plan: 60,
  artifact_members_in_order_of_their_names: 28,
  artifact_file_written_in_place: 12,
  'artifact-branch-writes-files': 44,
  'artifact-plans-in-each-others-way': 12,
  'artifact-probe-believes-itself': 44,
  'branch-pays': 12,
  'labels-decide-nothing': 388,
  modification_ignored: 290,
  'settled-over-an-undoing': 334,
  'same-version-records-itself': 6,
  'settled-effect-undone': 53,
  'flow-outlives-its-writ': 22,
  fenced_engine_dispatches: 24,
  'declaration-takes-the-place': 6,
  'policies-compared-by-words': 54,
  'approvers-told-apart-by-name': 72,
  'vouched-for-without-a-key': 20,
  'old-yes-counts-again': 119,
  'authority-takes-flows': 4,
  'act-written-without-the-guards-of-its-opening': 65,
  'key-claimed-over-a-claim': 117,
  'unlinked-is-met-again': 57,
  'stuck-saga-stays-with-who-has-spoken': 4,
  'half-a-job-above-unsaid': 11,
  trip_stops_nobody: 71,
  'clock-far-ahead-followed': 13,
  'resend-in-maintenance': 4,
  instance_never_ends: 13,
  'generation-that-failed-is-free': 3,
  foreign_rules_decide: 2,
  expired_hold_dispatches: 57,
  'act-done-again-by-the-next-process': 21,
  'key-claimed-beside-its-act': 5,
  'advice-is-not-counted': 15,
  'guard-spends-without-end': 31,
  'one-agent-uses-up-a-guard': 15,
  'settling-clears-what-a-guard-said': 4,
  'foreign-parent-takes-children': 19,
  unsafe_sent_again: 4,
  resend_without_authority: 2,
}
/**
 * Each was found within three seeds of its kind, far from where hunts begin: whatever becomes of histories, these hunts
 * are short. Of one that begins to take longer the name is taken out.
 */
const COMMON: readonly string[] = [
  'call-judged-by-what-it-finds',
  'call-claimed-by-all',
  'erased-flow-takes-words',
  'artifact_plan_stays_when_applied',
  'artifact-branch-writes-files',
  'artifact-plans-in-each-others-way',
  'branch-pays',
  'window-of-the-agent-ignored',
  'resend_without_authority',
  'foreign_rules_decide',
  'effect_before_dispatch',
  'dirty_agent_goes_on',
  'recovery_sends_again',
  'erasure-names-too-little',
  'generation-that-failed-is-free',
  'locks_not_taken',
  'atom-of-old-authority-covers',
  'wake-up-left-to-its-message',
  'atom-reserved-twice',
  'atom-stays-open',
  'same-version-records-itself',
  'one_approval_is_enough',
  'unsafe_sent_again',
  'advice-is-not-counted',
  'clock-far-ahead-followed',
  'generation-that-was-lost-is-free',
  'left-behind-not-looked-at',
  'erased-rows-keep-their-words',
  'one-agent-uses-up-a-guard',
  'key-claimed-beside-its-act',
  'budget_not_taken',
  'atom-for-any-kind',
  'expired_flow_stays',
]

/**
 * Some of the bugs that show in most seeds: others for every change of what they are planted in, and for the same
 * sources the same ones, so that whatever fails fails again.
 */
export function drawCommonBugs(count: number): readonly string[] {
  const files = new Set(HUNTED.flatMap((bug) => getPatch(bug).edits.map(({ file }) => file)))
  const sources = createHash('sha256')
  for (const file of [...files].sort()) sources.update(readFileSync(new URL(file, ROOT)))
  const drawn = sources.digest('hex')
  const toPlace = (bug: string): string =>
    createHash('sha256').update(`${drawn} ${bug}`).digest('hex')
  return COMMON.toSorted((a, b) => (toPlace(a) < toPlace(b) ? -1 : 1)).slice(0, count)
}

/** A bug that makes a seed stand still is not one that the auditor has noticed. */
const HUNT_MS = 420_000

export async function runPlantedProof(
  options: {
    readonly seeds?: number
    readonly bugs?: readonly string[]
    readonly progress?: (done: number, of: number) => void
  } = {},
): Promise<PlantedReport> {
  const { seeds = SEEDS_MAX, bugs = HUNTED } = options
  const results: PlantedResult[] = []
  // Two at a time: that is what a small machine has cores for.
  const waiting = [...bugs]
  const work = async (): Promise<void> => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      results.push(await runBugHunt(bug, seeds))
      options.progress?.(results.length, bugs.length)
    }
  }
  await Promise.all([work(), work()])
  results.sort((a, b) => bugs.indexOf(a.bug) - bugs.indexOf(b.bug))
  const caught = results.filter((result) => result.caught).length
  return { bugs: results.length, caught, results }
}

function runBugHunt(bug: string, seeds: number): Promise<PlantedResult> {
  const script = fileURLToPath(new URL('./planted-worker.ts', import.meta.url))
  const run = createPatchedRun(bug)
  return new Promise<PlantedResult>((resolve, reject) => {
    const options = { env: run.env, timeout: HUNT_MS }
    const foundAt = FOUND_AT[bug]
    const hunted = [seeds, ...(foundAt === undefined ? [] : [foundAt])].map(String)
    execFile(process.execPath, [script, ...hunted], options, (error, stdout) => {
      if (error !== null) return reject(error)
      const problem = run.problem()
      if (problem !== null) return reject(new Error(problem))
      const { seeds: taken, violation } = JSON.parse(stdout) as PlantedResult
      resolve({ bug, caught: violation !== null, seeds: taken, violation })
    })
  }).finally(run.end)
}
