/** Erases flows of a sample ledger, as the runtime does it and as somebody else would. */
import {
  type CommitPayload,
  createWorld,
  type Entry,
  ERASURE,
  encodeHex,
  hashResourceKey,
  hashResourceLeaf,
  isErasable,
  type JsonObject,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { LedgerBuilder } from './ledger-builder.test-support.ts'
import type { SampleKey } from './sample-keys.test-support.ts'

const { sha256 } = nodeCrypto

export type ErasureChange = {
  readonly signer?: SampleKey
  /** In place of what the erasure says. */
  readonly body?: JsonObject
  /** What it does not name, by leaf. */
  readonly leaves_out?: readonly number[]
}

/** The payloads go, and an operator's word says which. */
export function eraseFlow(
  builder: LedgerBuilder,
  dfid: string,
  { signer = builder.operator, body = {}, leaves_out = [] }: ErasureChange = {},
): Entry {
  const payloads = namesOf(builder, dfid).filter((one) => !leaves_out.includes(Number(one.leaf)))
  takeOut(builder, dfid)
  if (builder.head(ERASURE) === undefined)
    builder.append(ERASURE, 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const signed: JsonObject = { dfid, reason: 'asked for', payloads, ...body }
  const signature = { ...signer.sign('erasure', signed) }
  return builder.append(ERASURE, 'erasure', { body: signed, signature }, { dfid })
}

/** The payloads go, and nobody says so. */
export function takeOut(builder: LedgerBuilder, dfid: string): void {
  builder.entries = builder.entries.map((entry) =>
    isOf(entry, dfid) ? { ...entry, payload: null } : entry,
  )
}

function isOf({ envelope, payload }: Entry, dfid: string): boolean {
  return envelope.dfid === dfid && isErasable(envelope.kind) && payload !== null
}

/** What of it is still there, by place; of a commit with what it made of the World. */
export function namesOf({ entries }: LedgerBuilder, dfid: string): JsonObject[] {
  return entries.flatMap((entry, leaf) => {
    if (!isOf(entry, dfid)) return []
    const { trajectory, seq, kind } = entry.envelope
    const world = kind === 'commit' ? { world: leavesAfter(entries, leaf) } : {}
    return [{ trajectory, seq, leaf, ...world }]
  })
}

function leavesAfter(entries: readonly Entry[], leaf: number): JsonObject[] {
  const world = createWorld(sha256)
  const at = entries[leaf]
  const commits = entries
    .slice(0, leaf + 1)
    .filter(({ envelope }) => envelope.kind === 'commit')
    .filter(({ envelope }) => envelope.trajectory === at?.envelope.trajectory)
    .map(({ payload }): CommitPayload => JSON.parse(payload ?? '{"delta":[]}'))
  for (const { delta } of commits) world.apply(delta, '')
  const changed = new Set((commits.at(-1)?.delta ?? []).map(({ kind, id }) => `${kind}\0${id}`))
  return [...changed].map((name) => {
    const [kind = '', id = ''] = name.split('\0')
    const resource = world.get(kind, id)
    const key = encodeHex(hashResourceKey(kind, id, sha256))
    return {
      key,
      leaf: resource === undefined ? null : encodeHex(hashResourceLeaf(resource, sha256)),
    }
  })
}
