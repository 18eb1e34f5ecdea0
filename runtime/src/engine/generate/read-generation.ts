/**
 * What a model was asked and said, for people. The texts lie beside the ledger, which has their hashes: what does not fit
 * them is shown to nobody, since whoever can write to the database could put any words there.
 */
import {
  type Address,
  computeAddressOfText,
  isObject,
  type JsonValue,
  type Sha256,
} from 'rubicon-kernel'
import type { GenerationText } from '../../ports/generation-record.ts'
import type { Store, StoredEntry } from '../../ports/store.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import { OPEN_GENERATIONS, toGenerationKey } from '../rows/open-generations.ts'
import { TreeCheck } from '../rows/tree-check.ts'

type Needed = { readonly store: Store; readonly sha256: Sha256 }

type Hashes = { readonly request: string | null; readonly response: string | null }

/** Who asks models, and writes down what came of it. */
const ASKED_BY: readonly (JsonValue | undefined)[] = ['model', 'adviser']

/** It may be answered, or erased, between two reads: each happens once. */
const TRIES = 3

/** Null: there is none. Throws a `StoreDiverged` where the texts are not those of the ledger. */
export async function readGeneration(
  deps: Needed,
  dfid: string,
  id: string,
): Promise<GenerationText | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const hashes = await readHashes(deps, dfid, id)
    const kept = await deps.store.readRecord('generation_text', dfid, id)
    if (kept === null) return null
    if (hashes !== null && hasHashes(deps, kept.body, hashes)) return kept.body
  }
  throw new StoreDiverged(`generation \`${id}\` of flow \`${dfid}\``, 'its words are others')
}

function hasHashes({ sha256 }: Needed, { request, response }: GenerationText, of: Hashes): boolean {
  const asked = computeAddressOfText('model-request', request, sha256)
  const said = response === null ? null : computeAddressOfText('model-reply', response, sha256)
  return asked === of.request && said === of.response
}

/** Of the entry, or of what is open; null: neither is there. */
async function readHashes(
  { store, sha256 }: Needed,
  dfid: string,
  id: string,
): Promise<Hashes | null> {
  for (const entry of await store.listFlowEntries(dfid)) {
    const hashes = findHashes(entry, id)
    if (hashes === null) continue
    await new TreeCheck(store, sha256).check([entry])
    return hashes
  }
  const { record, group } = OPEN_GENERATIONS
  const open = await store.readRecord(record, group, toGenerationKey(dfid, id))
  return open === null ? null : { request: open.body.request_hash, response: null }
}

function findHashes({ envelope, payload }: StoredEntry, id: string): Hashes | null {
  if (envelope.kind !== 'evidence' || payload === null) return null
  const said = JSON.parse(payload) as JsonValue
  if (!isObject(said) || !ASKED_BY.includes(said.source) || said.generation_id !== id) return null
  return { request: toAddress(said.request_hash), response: toAddress(said.response_hash) }
}

function toAddress(value: JsonValue | undefined): Address | null {
  return typeof value === 'string' ? (value as Address) : null
}
