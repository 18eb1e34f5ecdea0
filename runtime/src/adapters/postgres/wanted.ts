/**
 * Everything that the guards and writes of some units can ask for. It is locked and read before the
 * first of them is judged: a law that asks while it judges would have to wait in the middle.
 */
import {
  AUTHORITY,
  assertUnreachable,
  type Delta,
  hashResourceKey,
  isIdentifier,
  listTriePrefixes,
  type Sha256,
  toResourceName,
} from 'rubicon-kernel'
import type { RecordRef } from '../../ports/record.ts'
import type { ExecutionRow, Guard, Unit, Write } from '../../ports/store.ts'

export type StoredResourceRef = {
  readonly trajectory: string
  readonly kind: string
  readonly id: string
}
export type PageRef = { readonly trajectory: string; readonly prefix: string }
export type FlowInTrajectory = { readonly dfid: string; readonly trajectory: string }
export type StepRef = Pick<ExecutionRow, 'dfid' | 'step_id'>

/**
 * How deep the trie is read ahead: 16^5 resources fill five levels. What lies deeper is fetched
 * when it is missed.
 */
const PAGE_LEVELS = 6

export class WantedRows {
  /** Units that change the law itself are alone with it. */
  appendsAuthority = false
  readonly trajectories: Set<string> = new Set()
  readonly flows: Set<string> = new Set()
  readonly steps: Map<string, StepRef> = new Map()
  readonly counters: Set<string> = new Set()
  readonly records: Map<string, RecordRef> = new Map()
  /** Flows whose entries are counted; while a trajectory is held, nobody adds to it. */
  readonly flowCounts: Map<string, FlowInTrajectory> = new Map()
  /** Resources whose holds are looked at. */
  readonly locks: Set<string> = new Set()
  readonly resources: Map<string, StoredResourceRef & { readonly key: Uint8Array }> = new Map()
  readonly pages: Map<string, PageRef> = new Map()
  readonly epochs: Set<number> = new Set()
  readonly #sha256: Sha256

  constructor(units: readonly Unit[], sha256: Sha256) {
    this.#sha256 = sha256
    for (const { guards, writes } of units) {
      for (const guard of guards) this.#addGuard(guard)
      for (const write of writes) this.#addWrite(write)
    }
  }

  /** One name for each thing that no other batch may touch meanwhile, whether it exists or not. */
  listLockNames(): Set<string> {
    const names = new Set<string>()
    for (const trajectory of this.trajectories) names.add(joinKey('trajectory', trajectory))
    // A flow and its steps go together.
    for (const dfid of this.flows) names.add(joinKey('flow', dfid))
    for (const { dfid } of this.steps.values()) names.add(joinKey('flow', dfid))
    for (const id of this.counters) names.add(joinKey('counter', id))
    for (const resource of this.locks) names.add(joinKey('lock', resource))
    for (const name of this.records.keys()) names.add(joinKey('record', name))
    return names
  }

  addTrajectory(trajectory: string): void {
    this.trajectories.add(trajectory)
  }

  #addGuard(guard: Guard): void {
    switch (guard.kind) {
      case 'flow_absent':
      case 'flow_version':
        this.flows.add(guard.dfid)
        break
      case 'flow_entries':
        this.addTrajectory(guard.trajectory)
        this.flowCounts.set(joinKey(guard.dfid, guard.trajectory), guard)
        break
      case 'claim_absent':
      case 'execution_version':
        this.#addStep(guard)
        break
      case 'counter':
        this.counters.add(guard.id)
        break
      case 'world_version':
        this.addTrajectory(guard.trajectory)
        this.#addResource({ trajectory: guard.trajectory, ...guard.resource })
        break
      case 'trajectory_absent':
        this.addTrajectory(guard.trajectory)
        break
      case 'engine_epoch':
        this.epochs.add(guard.epoch)
        break
      case 'record_version':
        this.#addRecord(guard)
        break
      case 'lock_free':
      case 'lock_held':
        this.locks.add(guard.resource)
        break
      // The authority's head is read in every batch; time needs nothing.
      case 'authority_seq':
      case 'before':
        break
      default:
        assertUnreachable(guard)
    }
  }

  #addWrite(write: Write): void {
    switch (write.kind) {
      case 'append':
        this.#addAppend(write.trajectory)
        break
      case 'append_commit':
        this.#addAppend(write.trajectory)
        this.#addDelta(write.trajectory, write.delta)
        break
      case 'append_branch':
        this.#addAppend(write.trajectory)
        this.addTrajectory(write.source.trajectory)
        break
      case 'put_flow':
        this.flows.add(write.flow.dfid)
        break
      case 'put_execution':
        this.#addStep(write.execution)
        break
      case 'drop_execution':
        this.#addStep(write)
        break
      case 'count':
        this.counters.add(write.id)
        break
      case 'put_record':
      case 'drop_record':
        this.#addRecord(write)
        break
      case 'erase_flow':
      case 'archive_flow':
      case 'restore_flow':
        this.flows.add(write.dfid)
        break
      // It is named by its content, and nobody asks for it.
      case 'put_writ':
        break
      default:
        assertUnreachable(write)
    }
  }

  /** Also a commit that changes nothing names the root. */
  #addDelta(trajectory: string, delta: Delta): void {
    this.#addPage({ trajectory, prefix: '' })
    for (const { kind, id } of delta) {
      const key = this.#addResource({ trajectory, kind, id })
      if (key === undefined) continue
      for (const prefix of listTriePrefixes(key, PAGE_LEVELS)) this.#addPage({ trajectory, prefix })
    }
  }

  #addAppend(trajectory: string): void {
    this.addTrajectory(trajectory)
    if (trajectory === AUTHORITY) this.appendsAuthority = true
  }

  #addStep({ dfid, step_id }: StepRef): void {
    this.steps.set(joinKey(dfid, step_id), { dfid, step_id })
  }

  /** Who holds a resource is asked of all its holds. */
  #addRecord({ record, group, key }: RecordRef): void {
    if (record === 'lock') this.locks.add(group)
    else this.records.set(recordName({ record, group, key }), { record, group, key })
  }

  /** A name that no resource can have is answered without looking. */
  #addResource(ref: StoredResourceRef): Uint8Array | undefined {
    const { kind, id } = ref
    if (!isIdentifier(kind) || !id.isWellFormed()) return undefined
    const key = hashResourceKey(kind, id, this.#sha256)
    this.resources.set(toWorldName(ref), { ...ref, key })
    return key
  }

  #addPage(ref: PageRef): void {
    this.pages.set(toPageName(ref), ref)
  }
}

/** One key of two parts, of which the first holds no NUL. */
export function joinKey(first: string, second: string): string {
  return `${first}\0${second}`
}

export function toPageName({ trajectory, prefix }: PageRef): string {
  return joinKey(trajectory, prefix)
}

export function toWorldName({ trajectory, kind, id }: StoredResourceRef): string {
  return joinKey(trajectory, toResourceName(kind, id))
}

/** JSON, since a group may hold anything. */
export function recordName({ record, group, key }: RecordRef): string {
  return JSON.stringify([record, group, key])
}
