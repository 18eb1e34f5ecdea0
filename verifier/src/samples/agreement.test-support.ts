import assert from 'node:assert/strict'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { parseTrust, type Trust } from '../ledger/trust.ts'
import type { Report } from '../report/report.ts'
import { verifyAny } from '../verify-any.ts'
import { oracleReport, oracleSkip } from './oracle.test-support.ts'

/** Leaf and code of each finding, once: what both verifiers must say; the words are their own. */
export function places({ findings }: Report): string[] {
  return [...new Set(findings.map(({ leaf, code }) => `${leaf} ${code}`))].sort()
}

/** The report of ours, after the second implementation said the same. */
export async function verifyTwice(text: string | Uint8Array, trusted?: string): Promise<Report> {
  const report = verifyAny(text, nodeCrypto, trusted === undefined ? {} : trusting(trusted))
  if (oracleSkip !== false) return report

  const second = await oracleReport(text, trusted === undefined ? {} : { trust: trusted })
  assert.deepEqual(places(second), places(report))
  const { ok, strength, depth, entries, erased, checkpoint, tree, fingerprints } = second
  const { compiler_versions, rules_seen, signatures, unsettled } = second
  assert.deepEqual(
    {
      ok,
      strength,
      depth,
      entries,
      erased,
      unsettled,
      checkpoint,
      tree,
      fingerprints,
      compiler_versions,
      rules_seen,
    },
    {
      ok: report.ok,
      strength: report.strength,
      depth: report.depth,
      entries: report.entries,
      erased: report.erased,
      unsettled: report.unsettled,
      checkpoint: report.checkpoint,
      tree: report.tree,
      fingerprints: report.fingerprints,
      compiler_versions: report.compiler_versions,
      rules_seen: report.rules_seen,
    },
  )
  if (ok) assert.deepEqual(signatures, report.signatures)
  return report
}

function trusting(text: string): { readonly trust: Trust } {
  const trust = parseTrust(text, nodeCrypto.sha256)
  assert.ok(trust.ok, 'what is trusted can be read')
  return { trust: trust.value }
}

export function codes({ findings }: Report): string[] {
  return findings.map(({ code }) => code)
}
