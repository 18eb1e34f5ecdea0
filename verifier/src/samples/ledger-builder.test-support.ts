/** Puts signed entries together, good ones and bad ones, and writes them as files. */
import {
  type Address,
  AUTHORITY,
  type Bundle,
  type BundleEvidence,
  buildInclusionProof,
  computeEntryId,
  computeFrontierRoot,
  computeNoteKeyId,
  createNodeReader,
  type Entry,
  type EntryKind,
  type Envelope,
  emptyFrontier,
  encodeBase64,
  encodeUtf8,
  extendFrontierAll,
  foldKeys,
  formatCheckpointBody,
  formatNote,
  type Head,
  hashLeaf,
  hashPayload,
  type JsonObject,
  type JsonValue,
  type KeyBody,
  type KeyRecord,
  sealEntry,
  toCanonicalText,
  toLeafInput,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { type SampleKey, sampleKey } from './sample-keys.test-support.ts'

const { sha256 } = nodeCrypto

export type Place = { readonly dfid?: string; readonly authority_seq?: number }

export class LedgerBuilder {
  readonly tenant: string
  readonly operator: SampleKey
  readonly issuer: SampleKey
  readonly kernel: SampleKey
  readonly checkpoint: SampleKey
  entries: Entry[] = []
  epoch = 0
  private second = 0

  constructor(word = 'sample', tenant = 'acme') {
    this.tenant = tenant
    this.operator = sampleKey('operator', word)
    this.issuer = sampleKey('issuer', word)
    this.kernel = sampleKey('kernel', word)
    this.checkpoint = sampleKey('checkpoint', word)
  }

  /** One second later with every call; `back` goes back in time. */
  now(): string {
    const minutes = String(Math.floor(this.second / 60)).padStart(2, '0')
    const seconds = String(this.second % 60).padStart(2, '0')
    return `2026-02-01T09:${minutes}:${seconds}.000Z`
  }

  head(trajectory: string): Head | undefined {
    const last = this.entries.findLast(({ envelope }) => envelope.trajectory === trajectory)
    return last && { seq: last.envelope.seq, id: last.id, at: last.envelope.at }
  }

  authoritySeq(): number {
    return this.head(AUTHORITY)?.seq ?? -1
  }

  append(
    trajectory: string,
    kind: EntryKind,
    payload: JsonObject,
    place: Place = {},
    forkedFrom: Address | null = null,
  ): Entry {
    this.second += 1
    const { tenant } = this
    const draft = { tenant, trajectory, kind, ...place, payload: toCanonicalText(payload) }
    const entry = sealEntry(draft, this.head(trajectory), this.now(), sha256, forkedFrom)
    this.entries.push(entry)
    return entry
  }

  /** A signed document of the authority trajectory. */
  decree(kind: EntryKind, body: JsonValue, signer: SampleKey = this.operator): Entry {
    return this.append(AUTHORITY, kind, { body, signature: { ...signer.sign(kind, body) } })
  }

  addKey(key: SampleKey, signer: SampleKey = this.operator): Entry {
    const body = keyBody('add', key)
    return this.append(AUTHORITY, 'key', {
      body,
      possession: key.sign('key', body).sig,
      signature: { ...signer.sign('key', body) },
    })
  }

  endKey(key: SampleKey, since_seq?: number): Entry {
    const body: KeyBody =
      since_seq === undefined
        ? keyBody('retire', key)
        : { ...keyBody('compromise', key), since_seq }
    return this.decree('key', body)
  }

  /** Seals the entries again from `leaf` on, as someone would who changed one of them. */
  rehash(leaf: number): void {
    const renamed = new Map<string, Address>()
    this.entries = this.entries.map((entry, i) => {
      if (i < leaf || entry.payload === null) return entry
      const { parent } = entry.envelope
      const envelope: Envelope = {
        ...entry.envelope,
        parent: parent === null ? null : (renamed.get(parent) ?? parent),
        payload_hash: hashPayload(entry.payload, sha256),
      }
      const id = computeEntryId(envelope, sha256)
      renamed.set(entry.id, id)
      return { ...entry, id, envelope }
    })
  }

  keys(): readonly KeyRecord[] {
    return foldKeys(
      this.entries
        .filter(({ envelope }) => envelope.kind === 'key')
        .map(({ envelope, payload }) => ({
          body: JSON.parse(payload ?? '').body,
          seq: envelope.seq,
        })),
    ).records()
  }

  origin(): string {
    return `rubicon/${this.tenant}/${this.operator.id}/${this.epoch}`
  }

  note(size: number = this.entries.length, signer: SampleKey = this.checkpoint): string {
    const leaves = this.leaves().slice(0, size)
    const root = computeFrontierRoot(extendFrontierAll(emptyFrontier, leaves, sha256), sha256)
    const name = this.origin()
    const body = formatCheckpointBody({ origin: name, size, root, extensions: [] })
    const keyId = computeNoteKeyId(name, signer.bytes, sha256)
    return formatNote(body, [{ name, keyId, signature: signer.signRaw(encodeUtf8(body)) }])
  }

  header(checkpoint: string = this.note()): string {
    return toCanonicalText({
      checkpoint,
      epoch: this.epoch,
      format: 'rubicon-ledger/2',
      keys: this.keys(),
      tenant: this.tenant,
    })
  }

  lines(): string[] {
    return this.entries.map(({ id, envelope, payload }) =>
      toCanonicalText({ id, envelope, payload: payload === null ? null : JSON.parse(payload) }),
    )
  }

  text(header: string = this.header()): string {
    return [header, ...this.lines(), ''].join('\n')
  }

  bundle(dfid: string, evidence: BundleEvidence | undefined): Bundle {
    const { length } = this.entries
    const leaves = this.leaves()
    const at = (index: number): Uint8Array => leaves[index] ?? new Uint8Array(0)
    const reader = createNodeReader(at, undefined, sha256)
    const entries = this.entries.flatMap((entry, leaf) => {
      const { envelope, id, payload } = entry
      // Writs that were issued by hand are of no flow, and are all taken along.
      const isByHand = envelope.kind === 'writ' && envelope.dfid === undefined
      if (envelope.trajectory !== AUTHORITY && envelope.dfid !== dfid && !isByHand) return []
      const proof = buildInclusionProof(leaf, length, reader, sha256).map(encodeBase64)
      return [{ envelope, id, payload: JSON.parse(payload ?? 'null'), leaf, proof }]
    })
    return {
      checkpoint: this.note(),
      dfid,
      entries,
      epoch: this.epoch,
      ...(evidence === undefined ? {} : { evidence }),
      format: 'rubicon-bundle/2',
      keys: this.keys(),
      tenant: this.tenant,
    }
  }

  private leaves(): Uint8Array[] {
    return this.entries.map(({ id }) => hashLeaf(toLeafInput(id), sha256))
  }
}

export function keyBody(action: KeyBody['action'], key: SampleKey): KeyBody {
  const { id, purpose, subject, text } = key
  return { action, key_id: id, purpose, public_key: text, subject }
}
