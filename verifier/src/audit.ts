/**
 * The checks on one entry, in the order of the spec, and the state that they share.
 *
 * Ledger files, stores and bundles differ in where entries come from; what is asked of an entry is
 * asked here, once.
 */
import { AUTHORITY, canonicalText, type KeyRecord } from 'rubicon-kernel'
import type { AuditCrypto } from './crypto.ts'
import { createErasures } from './erasures.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import { placeOf, type ReadEntry } from './read-entry.ts'
import { createFindings, type Findings, NOWHERE, type Problem, type Report } from './report.ts'
import type { Trust } from './trust.ts'
import { createApprovals } from './verify-approvals.ts'
import { type AuthorityCheck, createAuthorityCheck } from './verify-authority.ts'
import { type Chains, createChains } from './verify-chain.ts'
import { createChildren } from './verify-children.ts'
import { createCompensations } from './verify-compensations.ts'
import { verifyEntry } from './verify-entry.ts'
import { verifySignatures } from './verify-signatures.ts'
import { createWorlds } from './verify-world.ts'
import { createWrits } from './writs.ts'

export type VerifyOptions = {
  /** `none` skips those of authority entries, writs and intents; keys and checkpoint stay. */
  readonly signatures?: 'all' | 'none'
  readonly trust?: Trust
  /** Now and then: entries checked, and how many there are, as far as the file says. */
  readonly onProgress?: (done: number, total: number | null) => void
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
  /** Only what needs no payload. */
  readonly skim: (entry: ReadEntry, own?: readonly Problem[]) => void
  /** A file must not bring its own trust: the keys that it states are those its entries made. */
  readonly compareKeys: (stated: readonly KeyRecord[]) => void
  /** What is known only at the end; then the part of the report that all formats share. */
  readonly close: () => Pick<Report, AuditMembers>
}

type AuditMembers =
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
  { signatures = 'all' }: VerifyOptions,
  whole: boolean,
): Audit {
  let checked = 0
  const { sha256 } = given
  const crypto: AuditCrypto = {
    sha256,
    verifyEd25519(publicKey, message, signature) {
      checked += 1
      return given.verifyEd25519(publicKey, message, signature)
    },
  }
  const findings = createFindings()
  const ring = createKeyRing(crypto, signatures)
  const writs = createWrits()
  const chains = createChains(tenant, whole)
  const authority = createAuthorityCheck(writs, ring.keys, whole)
  const approvals = createApprovals(sha256, authority.people)
  const compensations = createCompensations()
  const children = createChildren(writs)
  const erasures = createErasures(whole)
  const worlds = createWorlds(sha256, erasures.worldAt)
  let erased = 0

  const link = (entry: ReadEntry, own = verifyEntry(entry, sha256)): void => {
    if (entry.payloadText === null) erased += 1
    findings.add(placeOf(entry), [...own, ...chains.check(entry)])
  }

  const skim = (entry: ReadEntry, own?: readonly Problem[]): void => {
    link(entry, own)
    findings.add(placeOf(entry), erasures.check(entry, true))
  }

  const check = (entry: ReadEntry, own?: readonly Problem[]): void => {
    const place = placeOf(entry)
    link(entry, own)
    const authoritySeq = chains.authoritySeq()
    const unsigned = verifySignatures({ entry, ring, writs, authoritySeq, sha256 })
    findings.add(place, [...unsigned, ...erasures.check(entry, unsigned.length === 0)])
    findings.add(place, authority.check(entry, authoritySeq))
    findings.add(place, approvals.check(entry))
    findings.add(place, compensations.check(entry))
    findings.add(place, children.check(entry))
    // A bundle holds one flow; the World is made by all of them.
    if (whole && entry.envelope.trajectory !== AUTHORITY) findings.add(place, worlds.check(entry))
  }

  const compareKeys = (stated: readonly KeyRecord[]): void => {
    if (canonicalText(stated) === canonicalText(ring.keys.records())) return
    const detail = 'the keys that the file states are not those of its key entries'
    findings.add(NOWHERE, [{ code: 'KEYS_MISMATCH', detail }])
  }

  const close = (): Pick<Report, AuditMembers> => {
    const late = [...worlds.close(), ...erasures.unsigned(), ...ring.compromised()]
    for (const finding of late) findings.add(finding, [finding])
    return {
      erased,
      fingerprints: ring.keys
        .records()
        .map(({ key_id, purpose, subject }) => ({ key_id, purpose, subject })),
      findings: findings.list(),
      left_off: findings.leftOff(),
      compiler_versions: authority.compilers(),
      rules_seen: authority.rules(),
      signatures: { checked },
    }
  }

  return { crypto, findings, ring, chains, authority, check, skim, compareKeys, close }
}
