/** The auditor of a seed, and what it is told of what others were told. */
import { REASON_CODES } from 'rubicon-kernel'
import type { Tables } from '../../runtime/src/adapters/memory/tables.ts'
import type { Scene } from './agents.ts'
import { Auditor } from './auditor.ts'
import { findWatchedFields } from './capabilities.ts'
import type { VirtualTime } from './clock.ts'
import type { CraftPlace } from './crafts/craft-place.ts'
import type { Keys } from './fake-keys.ts'
import { recompile } from './recompile.ts'
import { readDecisionAgain } from './second-reading.ts'
import { findLastWord } from './stored-records.ts'
import type { Swarm } from './swarm.ts'

type AuditedSeed = {
  readonly thorough: boolean
  readonly swarm: Swarm
  /** Events reach agents over a bus. */
  readonly carried: boolean
  readonly keys: Pick<Keys, 'verify'>
  /** Null: there are no artifacts. */
  readonly crafts: CraftPlace | null
  readonly time: Pick<VirtualTime, 'getElapsedMs'>
}

/** `getTables`: what it is held against is there only when the site is. */
export function createSeedAuditor(
  { thorough, swarm, carried, keys: { verify }, crafts, time }: AuditedSeed,
  getTables: () => Tables,
): Auditor {
  return new Auditor({
    codes: new Set<string>(REASON_CODES),
    recompile: thorough ? recompile : null,
    readAgain: readDecisionAgain,
    verify,
    getMs: () => time.getElapsedMs(),
    thorough,
    shared: swarm.machines > 1,
    carried,
    artifacts: crafts === null ? null : { readAll: () => crafts.readAll(), blobs: crafts.blobs },
    outside: {
      watched: findWatchedFields,
      lastWord: (path, at) => findLastWord(getTables(), path, at),
    },
  })
}

/** What somebody was told is told to the auditor as well. */
export function bindToldAuditor(
  auditor: Auditor,
): Pick<
  Scene,
  | 'acknowledge'
  | 'observed'
  | 'heard'
  | 'findShown'
  | 'reviewed'
  | 'issued'
  | 'callCame'
  | 'callEnded'
> {
  return {
    acknowledge: (ack) => auditor.recordAcknowledgement(ack),
    observed: (said) => auditor.drift.auditObservation(said),
    heard: (hint) => auditor.bus.auditHeard(hint),
    findShown: (dfid) => auditor.reviews.findShown(dfid),
    reviewed: (said) => auditor.reviews.auditSaid(said),
    issued: (atom) => auditor.ways.atoms.auditGiven(atom),
    callCame: (came) => auditor.acts.calls.recordCame(came),
    callEnded: (ended) => auditor.acts.calls.recordEnded(ended),
  }
}
