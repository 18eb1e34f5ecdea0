/**
 * The checks on one entry, in the order of the spec, and the state that they share.
 *
 * Ledger files, stores and bundles differ in where entries come from; what is asked of an entry is
 * asked here, once.
 */

import {
  AUTHORITY,
  type Envelope,
  ERASURE,
  isErasable,
  type KeyRecord,
  toCanonicalText,
} from 'rubicon-kernel'
import type { AuthorityCheck } from './authority/verify-authority.ts'
import { createWrits } from './authority/writs.ts'
import { createKept } from './compact-records/parts.ts'
import type { AuditCrypto } from './crypto/crypto.ts'
import { createHistory } from './history/verify-history.ts'
import { createErasures, type IsArchived, SPOKEN } from './ledger/erasures.ts'
import type { Trust } from './ledger/trust.ts'
import { type Chains, createChains } from './ledger/verify-chain.ts'
import { verifyEntry } from './ledger/verify-entry.ts'
import { type ReadEntry, toPlace } from './reading/read-entry.ts'
import type { Depth } from './report/report.ts'
import {
  createFindings,
  type Findings,
  NOWHERE,
  type Problem,
  type Report,
} from './report/report.ts'
import { createKeyRing, type KeyRing } from './signatures/key-ring.ts'
import { verifySignatures } from './signatures/verify-signatures.ts'

/** How much is asked, and what is trusted. */
export type VerifyOptions = {
  /** By default `fold`. */
  readonly depth?: Depth
  /** `none` skips those of authority entries, writs and intents; keys and checkpoint stay. */
  readonly signatures?: 'all' | 'none'
  /** A key or a checkpoint that was obtained elsewhere; see `parseTrust`. */
  readonly trust?: Trust
  /** Now and then: entries checked, and how many there are, as far as the file says. */
  readonly onProgress?: (done: number, total: number | null) => void
}

/** Of a store whose archives are not all at hand: which payloads lie in them, as operators signed it. */
export type AwayOptions = {
  /** Whether the payload of an entry, which is missing, lies in an archive; without it none does. */
  readonly isArchived?: IsArchived
}

/** Often enough for a bar to move. */
export const PROGRESS_EVERY = 128

export type Audit = {
  /** What was handed in, with its signature checks counted. */
  readonly crypto: AuditCrypto
  readonly findings: Findings
  readonly ring: KeyRing
  readonly chains: Chains
  readonly authority: AuthorityCheck
  /** `own`: what is wrong with the entry in itself, where the caller has found out. */
  readonly check: (entry: ReadEntry, own?: readonly Problem[]) => void
  /** Whether id and payload hash fit. */
  readonly isSound: (entry: ReadEntry) => boolean
  /** Only what needs no payload. */
  readonly skim: (entry: ReadEntry, own?: readonly Problem[]) => void
  /** How many payloads lie in archives that are not at hand. */
  readonly countArchived: () => number
  /** A file must not bring its own trust: the keys that it states are those its entries made. */
  readonly compareKeys: (stated: readonly KeyRecord[]) => void
  /** What is known only at the end; then the part of the report that all formats share. */
  readonly close: () => Pick<Report, AuditMembers>
}

type AuditMembers =
  | 'depth'
  | 'archived'
  | 'erased'
  | 'fingerprints'
  | 'findings'
  | 'left_off'
  | 'compiler_versions'
  | 'rules_seen'
  | 'signatures'

/** `whole`: all entries of the tenant are here, not a bundle's selection. */
export function createAudit(
  tenant: string | undefined,
  given: AuditCrypto,
  { signatures = 'all', depth = 'fold', isArchived }: VerifyOptions & AwayOptions,
  whole: boolean,
): Audit {
  const { crypto, getChecked } = countSignatureChecks(given)
  const { sha256 } = crypto
  const findings = createFindings()
  const ring = createKeyRing(crypto, signatures)
  const writs = createWrits()
  const chains = createChains(tenant, whole)
  const kept = createKept()
  const erasures = createErasures(whole, kept.flows.part(SPOKEN), isArchived)
  const seesFlows = depth === 'fold'
  const history = createHistory({ sha256, ring, writs, erasures, kept, whole, seesFlows })
  const { authority } = history
  let missing = 0

  const checkLink = (entry: ReadEntry, own = verifyEntry(entry, sha256)): void => {
    if (entry.payloadText === null) missing += 1
    findings.add(toPlace(entry), own)
    findings.add(toPlace(entry), chains.check(entry))
  }

  const checkStructure = (entry: ReadEntry, own?: readonly Problem[]): void => {
    checkLink(entry, own)
    findings.add(toPlace(entry), erasures.check(entry, true))
  }

  const check = (entry: ReadEntry, own?: readonly Problem[]): void => {
    const isAlways = isAlwaysChecked(entry.envelope)
    if (depth === 'structure' && !isAlways) {
      checkStructure(entry, own)
      return
    }
    const place = toPlace(entry)
    checkLink(entry, own)
    const authoritySeq = chains.authoritySeq()
    const unsigned = verifySignatures({ entry, ring, writs, authoritySeq, sha256 })
    findings.add(place, unsigned)
    findings.add(place, erasures.check(entry, unsigned.length === 0))
    if (seesFlows || isAlways) findings.add(place, history.check(entry, authoritySeq))
  }

  const close = (): Pick<Report, AuditMembers> => {
    const late = [...history.close(), ...erasures.unsigned(), ...ring.compromised()]
    for (const finding of late) findings.add(finding, [finding])
    return {
      depth,
      archived: erasures.countArchived(),
      erased: missing - erasures.countArchived(),
      fingerprints: toFingerprints(ring.keys.records()),
      findings: findings.list(),
      left_off: findings.leftOff(),
      compiler_versions: authority.compilers(),
      rules_seen: authority.rules(),
      signatures: { checked: getChecked() },
    }
  }

  return {
    crypto,
    findings,
    ring,
    chains,
    authority,
    check,
    isSound: (entry) => verifyEntry(entry, sha256).length === 0,
    skim: checkStructure,
    countArchived: erasures.countArchived,
    compareKeys: (stated) => findings.add(NOWHERE, findStatedKeyProblems(stated, ring)),
    close,
  }
}

/** The same crypto, and how many signatures were checked with it. */
function countSignatureChecks(given: AuditCrypto): {
  readonly crypto: AuditCrypto
  readonly getChecked: () => number
} {
  let checked = 0
  const crypto: AuditCrypto = {
    sha256: given.sha256,
    verifyEd25519(publicKey, message, signature) {
      checked += 1
      return given.verifyEd25519(publicKey, message, signature)
    },
  }
  return { crypto, getChecked: () => checked }
}

function findStatedKeyProblems(
  stated: readonly KeyRecord[],
  { keys }: KeyRing,
): readonly Problem[] {
  if (toCanonicalText(stated) === toCanonicalText(keys.records())) return []
  const detail = 'the keys that the file states are not those of its key entries'
  return [{ code: 'KEYS_MISMATCH', detail }]
}

function toFingerprints(records: readonly KeyRecord[]): Report['fingerprints'] {
  return records.map(({ key_id, purpose, subject }) => ({ key_id, purpose, subject }))
}

/**
 * At depth `structure` the payload is not read. A branch names in its own where it forks, and one that is
 * missing where none can be erased is found by whoever wants to read it.
 */
export function isSkimmed(envelope: Envelope, payload: string | null): boolean {
  const isThere = payload !== null || isErasable(envelope.kind)
  return isThere && !isAlwaysChecked(envelope) && envelope.kind !== 'branch'
}

/** What nothing can be judged without: who may do what, and which payloads may be missing. */
function isAlwaysChecked({ trajectory }: Envelope): boolean {
  return trajectory === AUTHORITY || trajectory === ERASURE
}
